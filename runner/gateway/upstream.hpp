// Whatever answers a chat-completions request: a provider over HTTP (http_upstream) or a simulated model (sim_model).
// Not the gateway: it knows no run, no chat and no turn. Shared by all runs of a process, so every implementation is
// safe to call from many threads.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "net/deadline.hpp"

namespace pasb {

struct ChatRequest {
    std::string body;  // the agent's bytes: what is forwarded is these with `model` and `temperature` replaced, nothing
                       // re-serialised
    nlohmann::json value;  // the same, parsed
    bool stream = false;
};

// How a request ended. Exactly one of two: a whole answer (`error` empty, `response` an object), or an error.
struct Answer {
    int status = 0;  // for the agent: 200, or the error's status
    std::string
        body;  // for the agent: a completion's bytes where nothing was streamed, else an OpenAI-style error object
    nlohmann::json response;  // whole chat completion, assembled from the stream where it was one; null on failure
    std::string error;        // for the record; may name hosts, never the key
    bool began = false;  // stream bytes have been handed to the sink: an error can then only break the connection off
    int attempts = 0;
    nlohmann::json sent;  // members changed or added on the way: {"model": ..., "temperature": 0}
};

// Takes the bytes of a stream (SSE) as they arrive. May throw NetError when the agent has gone.
using StreamSink = std::function<void(std::string_view piece)>;

class Upstream {
  public:
    Upstream() = default;
    Upstream(const Upstream&) = delete;
    Upstream& operator=(const Upstream&) = delete;
    virtual ~Upstream() = default;
    // Blocks until answered, failed for good, or the deadline. Throws only what `sink` throws.
    virtual Answer complete(const ChatRequest& request, const Deadline& deadline, const StreamSink& sink) = 0;
    [[nodiscard]] virtual bool simulated() const = 0;
};

// {"error": {"message", "type", "param": null, "code"}}, as OpenAI's API words an error.
std::string error_body(std::string_view message, std::string_view type, std::string_view code);

}  // namespace pasb
