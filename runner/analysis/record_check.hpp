// Does a record agree with itself: what can be derived again from its own texts is derived and compared. Reads nothing
// else; exchanges, images and the other files are `pasb verify`'s.
#pragma once

#include <string>
#include <vector>

#include "model/baseline_texts.hpp"
#include "model/record.hpp"

namespace pasb {

// What does not hold, a line each, naming the field: hashes of notes, the claim's span and score (of added notes, and
// of modified ones whose old text is in `baseline`), saved and destination, turns and their texts, validity.
std::vector<std::string> record_problems(const Record& record, const BaselineTexts& baseline);

}  // namespace pasb
