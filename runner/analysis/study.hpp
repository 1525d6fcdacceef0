// What the tables and figures are made from: all runs of the joined evals, what was planned, and the paper's figures.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/published.hpp"
#include "analysis/run_facts.hpp"

namespace pasb {

using Runs = std::vector<const RunFacts*>;

struct Combination {
    std::string model;
    std::string framework;
};

inline bool operator<(const Combination& a, const Combination& b) {
    return std::tie(a.model, a.framework) < std::tie(b.model, b.framework);
}

// What judging or annotating cost.
struct Effort {
    std::string who;          // "judge kimi-k2.6"; empty: nobody
    std::size_t results = 0;  // repeats and what was made anew included
    double requests = 0;
    double prompt_tokens = 0;
    double completion_tokens = 0;
    double seconds = 0;  // summed over requests, which may have run at once
};

struct Study {
    std::vector<RunFacts> runs;                  // of one arm
    std::map<Combination, std::size_t> planned;  // runs; a combination without an entry: not known
    std::size_t never_started = 0;               // planned runs without a record
    Published published;
    std::vector<Effort> efforts;
    std::uint64_t seed = 1;         // of bootstrap and permutations
    std::size_t replicates = 2000;  // of the bootstrap

    // Models and frameworks that were planned or have records, in order.
    [[nodiscard]] std::vector<Combination> combinations() const;
    [[nodiscard]] Runs all() const;
    [[nodiscard]] Runs where(const std::function<bool(const RunFacts&)>& wanted) const;
};

Runs filtered(const Runs& runs, const std::function<bool(const RunFacts&)>& wanted);
Runs judged(const Runs& runs);
Runs of_combination(const Runs& runs, const Combination& combination);

// "sim:adopter (simulated) on hermes"
std::string label_of(const Study& study, const Combination& combination);
bool is_simulated(const Study& study, const std::string& model);

// "planned 16 -> started 16 -> five answers 16 -> cut proven 16 -> three answers 16 -> judged 16"; printed with every
// table. `planned` is left out where it is not known.
std::string funnel_line(const Study& study);

}  // namespace pasb
