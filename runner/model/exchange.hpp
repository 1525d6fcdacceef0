// One model request and its answer as the gateway saw them: the only source of evidence about what the model was shown.
// Not a turn: a turn may cause many exchanges, and background work causes some after a turn's end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pasb {

enum class Chat { first, follow_up };

struct Exchange {
    Chat chat = Chat::first;
    int turn = 0;  // 1-based turn that was under way when the request arrived, or the last one begun; 0 before turn 1
    bool in_turn = false;     // false: arrived between turns or in the flush wait (background work)
    nlohmann::json request;   // the body as the agent sent it (OpenAI chat completions)
    nlohmann::json response;  // a whole chat completion, assembled from the stream where it was one; null on failure
    int status = 0;           // HTTP status given to the agent; 0 if the connection broke before
    std::string error;        // why there is no answer; empty on success
    bool streamed = false;
    int attempts = 0;          // requests made to the upstream, retries included
    double started_s = 0;      // seconds since the run's start
    double seconds = 0;        // until the last byte was handed to the agent
    nlohmann::json sent;       // what was changed or added on the way to the upstream: {"model":..., "temperature":...}
    std::string tools_sha256;  // of the request's `tools` and `tool_choice`, dumped canonically; empty when it had none
};

}  // namespace pasb
