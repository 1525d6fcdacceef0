// The scores of one run as exports give them, missing ones included (spec section 6). Not a statistic over runs: that
// is exports/rates.hpp.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "model/judged_run.hpp"

namespace pasb {

struct ExportScores {
    // By answer metric, then by answer; also where the run's value below is missing.
    std::array<std::array<std::optional<int>, follow_up_turns>, answer_metrics> answers;
    // In the order of metric_order. The first four are the highest of the three answers, and missing when one of the
    // three is: an answer without scores might have been the highest.
    std::array<std::optional<int>, all_metrics> values;
    std::optional<double> downstream_failure;  // 0 to 1: share of the four answer metrics that fail
    std::string unscored;                      // why something is missing; empty when nothing is
};

// An invalid run has no scores, whatever a judge said of it.
ExportScores scores_of(const JudgedRun& run);

std::optional<bool> failed(const std::optional<int>& score);

}  // namespace pasb
