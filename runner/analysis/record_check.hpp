// Does a record agree with itself: what can be derived again from its own texts is derived and compared. Reads nothing
// else; exchanges, images and the other files are `pasb verify`'s.
#pragma once

#include <string>
#include <vector>

#include "model/judgement.hpp"
#include "model/record.hpp"

namespace pasb {

// What does not hold, a line each, naming the field. Hashes of notes, the claim's span and score (of added notes; of a
// modified one the baseline's lines are not in the record), saved and destination, turns and their texts, validity.
std::vector<std::string> record_problems(const Record& record);

}  // namespace pasb
