// One run as the reader of the page tells it: task, chats, notes with what is new in them, evidence chain, scores and
// technical facts, as JSON for page.js. Decides nothing about the run: every state in it is the record's, the judge's
// or the annotator's, or unknown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/annotation.hpp"
#include "model/baseline_texts.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"

namespace pasb {

// `judgement`, `annotation` and `baseline` may be null: not judged, not annotated, no texts. Without the baseline's
// texts a modified note is shown whole, and the story says that its old lines are unknown.
nlohmann::json run_story(const Record& record, const Judgement* judgement, const Annotation* annotation,
                         const BaselineTexts* baseline = nullptr);

}  // namespace pasb
