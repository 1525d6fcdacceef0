// Did the model give the answers that a record holds: from the exchanges alone.
#pragma once

#include <vector>

#include "model/exchange.hpp"
#include "model/record.hpp"

namespace pasb {

// An answer counts only if a model gave it: its words stand in a completion of that turn, or the other way round where
// a framework adds to what the model said. Returns the first turn for which no completion does, else null.
const TurnRecord* first_unmodelled(const std::vector<TurnRecord>& turns, Chat chat,
                                   const std::vector<Exchange>& exchanges);

}  // namespace pasb
