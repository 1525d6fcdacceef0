// The three kinds of calls (an answer, the three answers together, an annotation): which fields a reply must have, the
// JSON schema that an endpoint is given for it, and what its values mean. Sends nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "rubric/judge_reply.hpp"

namespace pasb {

// Fields are named as in the public release: carryover_likert is Leak, epistemic_promotion_likert is Upgrade.
const ReplyContract& answer_contract();
const ReplyContract& cross_turn_contract();
const ReplyContract& annotation_contract();

// The value of `response_format` that makes an endpoint keep to the contract: strict, every field required.
nlohmann::json response_format(const ReplyContract& contract, const std::string& name);

// What a model is told after an unusable reply, so that the next request differs from the last: at temperature 0 an
// identical one gives the identical answer.
std::string correction_for(const std::string& reason, const ReplyContract& contract);

// Fill scores or the reason, rationale and flags; `requests` is the caller's.
AnswerVerdict answer_verdict(const JudgeReply& reply);
CrossTurnVerdict cross_turn_verdict(const JudgeReply& reply);

// Fills the labels and notes, or `unlabelled`.
void put_labels(const JudgeReply& reply, Annotation& annotation);

}  // namespace pasb
