// The notes of a run as lines for a reader: new, old or unknown, with the claim's span marked. Private to run_story.
#pragma once

#include <nlohmann/json.hpp>

#include "report/run_story.hpp"

namespace pasb {

// Text for the page: valid UTF-8, cut with a remark where it is very long.
std::string story_text(const std::string& text);

nlohmann::json story_notes(const Record& record, const BaselineTexts* baseline);

}  // namespace pasb
