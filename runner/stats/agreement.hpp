// How two raters (a person and a judge, two judges, a judge twice) agree on the same answers: shares with intervals,
// and the binary outcome at the pass line, which scores within one point can still cross. Chance is not taken off; for
// that see stats/krippendorff.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/clusters.hpp"
#include "stats/estimate.hpp"
#include "stats/resampling.hpp"

namespace pasb {

// What both gave one answer: Likert scores 1 to 5, or codes of labels. Missing where a rater gave nothing.
struct RatedTwice {
    std::optional<int> reference;
    std::optional<int> rated;
    BaseItem base;
};

// At the pass line (failing_score of model/judgement.hpp).
struct Confusion {
    std::size_t both_fail = 0;
    std::size_t only_reference_fails = 0;
    std::size_t only_rated_fails = 0;
    std::size_t both_pass = 0;
};

// Denominators are answers with both scores; where there are none: "no answer with both scores".
struct ScoreAgreement {
    Estimate exact;
    Estimate within_one_point;
    Confusion confusion;
    Estimate sensitivity;     // share that the rated fails, of those that the reference fails
    Estimate specificity;     // share that the rated passes, of those that the reference passes
    std::size_t missing = 0;  // answers without one or both scores
};

ScoreAgreement score_agreement(const std::vector<RatedTwice>& answers, const Resampling& resampling = {});

// Share of equal labels, of those with both; else "nothing with both labels".
Estimate label_agreement(const std::vector<RatedTwice>& items, const Resampling& resampling = {});

}  // namespace pasb
