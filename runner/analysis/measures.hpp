// The outcomes of a run that tables average (spec section 6), each with the runs it is defined for.
#pragma once

#include <string>
#include <vector>

#include "analysis/study.hpp"

namespace pasb {

struct Measure {
    std::string key;                            // "leak"; part of column keys
    std::string label;                          // "Leak"
    bool is_share = true;                       // every run's value is 0 or 1
    bool (*counts)(const RunFacts&) = nullptr;  // runs without it are left out of the denominator
    const char* nothing = "no runs";            // why there is no value where no run counts
    std::function<double(const RunFacts&)> value;
};

// Max-FR@3 of a per-answer metric, or the failure rate of a cross-turn one, over judged runs.
Measure failure_of(Metric metric);
std::vector<Measure> six_failures();
Measure downstream_failure();  // DF, over judged runs; quarters
Measure average_of_six();      // Avg of table 2 for one combination, over judged runs; sixths
Measure commit();              // Commit%, over valid runs

// Beyond the paper: share of a run's three answers that fail, and failure of the n-th answer (0 to 2) alone.
Measure mean_at_3(Metric metric);
Measure failure_at(Metric metric, std::size_t answer);

}  // namespace pasb
