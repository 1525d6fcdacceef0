// Tool calls of the first chat that tried to write a note, and what came of them, as seen on the wire.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evidence/conversation.hpp"
#include "model/adapter.hpp"
#include "model/record.hpp"

namespace pasb {

// A result is a failure when it is JSON with "success" or "ok" false, an "error" or "isError", a "status" of error or
// failed, or when its text begins with "Error". Calls are read from answers, never from histories, so that each counts
// once.
std::vector<WriteAttempt> write_attempts(std::span<const Exchange> all, const Adapter& adapter);

}  // namespace pasb
