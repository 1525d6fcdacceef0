// What several tables need: rows for a factor's levels, cells from the paper, bare shares.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/study.hpp"
#include "report/document.hpp"

namespace pasb {

// The levels of a factor that occur, in the benchmark's order or by name.
std::vector<std::string> levels(const Runs& runs, const std::string& factor);

// The paper's figure, or that it has none.
Cell published_cell(const Study& study, const std::string& key);

// A share with its Wilson interval alone: for counts that are not runs, or that sum to 1 with others.
Estimate plain_share(std::size_t part, std::size_t whole, const std::string& nothing = "no runs");

// A group of runs with its name, for tables with a row a group.
struct NamedRuns {
    std::string kind;  // "all", "combination", "model", "framework", or a factor
    std::string name;
    Runs runs;
};

// All runs, then each combination.
std::vector<NamedRuns> all_and_combinations(const Study& study);

// All runs, then by combination, model, framework, family, scenario and delivery; where there is only one framework or
// model these are left out.
std::vector<NamedRuns> all_groups(const Study& study);

}  // namespace pasb
