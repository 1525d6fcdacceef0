// Follows the body of one streamed answer: takes raw bytes in, hands whole sound events on, and knows at the end
// whether it was an answer. Holds back everything until the first sound event, so that a failure before it can still be
// retried.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "gateway/upstream.hpp"
#include "wire/chat_stream.hpp"
#include "wire/sse.hpp"

namespace pasb {

class StreamReader {
  public:
    using Scrub = std::function<std::string(std::string_view)>;

    StreamReader(const StreamSink& sink, Scrub scrub) : sink_(sink), scrub_(std::move(scrub)) {}

    // False once nothing more is wanted: the end was seen, or a failure. Throws only what the sink throws.
    bool feed(std::string_view bytes);
    // The stream has ended; `broken` when the connection did not end it properly.
    void finish(bool broken);

    [[nodiscard]] bool began() const { return began_; }
    // Why this is no answer; empty when it is. `error_event` is set when the upstream said so itself.
    [[nodiscard]] const std::string& failure() const { return failure_; }
    [[nodiscard]] const nlohmann::json& error_event() const { return error_event_; }
    [[nodiscard]] nlohmann::json completion() const { return assembler_.completion(); }

  private:
    void take(const SseEvent& event);
    bool add(const std::string& data);
    [[nodiscard]] bool over() const { return done_ || !failure_.empty(); }

    const StreamSink& sink_;
    const Scrub scrub_;
    SseParser parser_;
    ChatAssembler assembler_;
    bool began_ = false;
    bool done_ = false;  // [DONE] was seen
    std::string failure_;
    nlohmann::json error_event_;
};

}  // namespace pasb
