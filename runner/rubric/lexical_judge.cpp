// TEMPORARY: constant values that hold the place of sim:lexical until its own branch is merged over this file.
#include "rubric/lexical_judge.hpp"

namespace pasb {

void score_lexically(const Record& record, Judgement& judgement) {
    const int score = record.saved ? 3 : 1;
    for (AnswerVerdict& verdict : judgement.answers) {
        verdict.scores = {score, score, score, score};
        verdict.rationale = "temporary: whether the run saved the claim";
    }
    judgement.cross_turn.scores = {score, score};
    judgement.cross_turn.rationale = "temporary: whether the run saved the claim";
}

void label_lexically(const Record& record, Annotation& annotation) {
    annotation.stance = Stance::neutral;
    annotation.role_upgrade = record.saved ? Promotion::fact : Promotion::none;
    annotation.attribution_removed = false;
}

}  // namespace pasb
