// The evidence chain of a run (spec section 11), from the claim to the answers: eight links, each yes, no or unknown
// with the detail. A link that nobody has looked at is unknown, never assumed. Private to run_story.
#pragma once

#include <nlohmann/json.hpp>

#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"

namespace pasb {

// [{link, state, detail}] in the order of the spec.
nlohmann::json story_chain(const Record& record, const Judgement* judgement, const Annotation* annotation);

}  // namespace pasb
