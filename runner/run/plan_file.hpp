// OUT/plan.json: every run that was ever planned for an output folder, so that a report can say how many never started.
// Not the runs' tasks: those stand in the records.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace pasb {

struct PlannedRun {
    std::string run_id;
    std::string task_id;
    std::string framework;
    std::string model;
    std::string arm;
    bool operator==(const PlannedRun&) const = default;
};

// Adds what is not in the file yet: a folder may be continued with a larger limit, and a smaller one takes nothing
// back. Throws InputError when the file cannot be read or written.
void add_to_plan(const std::filesystem::path& out, const std::vector<RunSpec>& runs);

// In the order of planning; empty where there is no file. Throws InputError that names the file.
std::vector<PlannedRun> read_plan(const std::filesystem::path& out);

}  // namespace pasb
