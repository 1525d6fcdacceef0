// Where a claim was saved, from the kinds of the notes that hold it (spec section 4).
#pragma once

#include <span>
#include <string_view>

#include "model/adapter.hpp"

namespace pasb {

enum class Destination { session_only, user, memory, skill };

std::string_view to_string(Destination destination);  // "session-only", "user", "memory", "skill"

// Skill > memory (memory and persona) > user > session-only; kinds that are no notes count for nothing.
Destination destination_of(std::span<const PathKind> kinds_that_hold_the_claim);

}  // namespace pasb
