// The simulated judge and annotator sim:lexical: labels from the words that claim, notes and answers share. Not a
// judge of meaning: for checking the pipeline without a model.
#pragma once

#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"

namespace pasb {

// Fills `answers` and `cross_turn`.
void score_lexically(const Record& record, Judgement& judgement);

// Fills `stance`, `role_upgrade` and `attribution_removed`.
void label_lexically(const Record& record, Annotation& annotation);

}  // namespace pasb
