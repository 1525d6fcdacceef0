// Tool calls of the first chat that tried to write a note, and what came of them, as seen on the wire.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evidence/conversation.hpp"
#include "model/adapter.hpp"

namespace pasb {

struct WriteAttempt {
    int turn = 0;
    std::string tool;        // the tool that writes, also when another one wrapped the call
    std::string target;      // its path argument, or what names the target ("target", "name", ...); may be empty
    std::optional<bool> ok;  // no value: the result was not seen
    bool in_turn = true;     // false: background work between turns or in the flush wait
};

// A result is a failure when it is JSON with "success" or "ok" false, an "error" or "isError", a "status" of error or failed, or when its
// text begins with "Error". Calls are read from answers, never from histories, so that each counts once.
std::vector<WriteAttempt> write_attempts(std::span<const Exchange> all, const Adapter& adapter);

}  // namespace pasb
