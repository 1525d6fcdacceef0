// Streamed chat completions: chunks of deltas <-> one whole chat completion. Pure; knows nothing about sockets or SSE
// framing.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pasb {

// Adds up `chat.completion.chunk` objects. Keeps going on shapes it does not know: unknown members of a delta that are
// strings are joined like content, others take the last value.
class ChatAssembler {
  public:
    void add(const nlohmann::json& chunk);  // throws NetError (protocol) when it is not a chunk

    // Some choice has arrived, and each that has also has its finish_reason.
    [[nodiscard]] bool finished() const;
    [[nodiscard]] bool empty() const { return choices_.empty(); }
    // A chat.completion; choices in order of their index. finish_reason is null where none came.
    [[nodiscard]] nlohmann::json completion() const;

  private:
    nlohmann::json head_ = nlohmann::json::object();
    std::map<std::int64_t, nlohmann::json> choices_;
};

// The error object of a body or event that is an error in spite of its HTTP status ({"error": ...}), else nullptr.
const nlohmann::json* error_object(const nlohmann::json& value);

// What keeps `value` from being a chat completion; empty when it is one.
std::string completion_problem(const nlohmann::json& value);

// Chunks that a server would have streamed for a completion (completion_problem is empty); a last one with usage where
// asked for (stream_options.include_usage).
std::vector<nlohmann::json> completion_chunks(const nlohmann::json& completion, bool include_usage);

// The same as the bytes of an SSE body, closed by [DONE].
std::string completion_sse(const nlohmann::json& completion, bool include_usage);

}  // namespace pasb
