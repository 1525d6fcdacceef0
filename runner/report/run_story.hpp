// One run as the reader of the page tells it: task, chats, notes with what is new in them, evidence chain, scores and
// technical facts, as JSON for page.js. Decides nothing about the run: every state in it is the record's, the judge's
// or the annotator's, or unknown.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"

namespace pasb {

// Texts of the clean baseline by path relative to the agent's home. A record does not hold them and the baseline file
// holds hashes only, so without them a modified note is shown whole, and the story says that its old lines are unknown.
using BaselineTexts = std::map<std::string, std::string>;

// `judgement`, `annotation` and `baseline` may be null: not judged, not annotated, no texts.
nlohmann::json run_story(const Record& record, const Judgement* judgement, const Annotation* annotation,
                         const BaselineTexts* baseline = nullptr);

}  // namespace pasb
