// Judges or annotates every valid run of an output folder, by several workers, each result in its file as soon as it is
// made. What is there is not made again, unless it was made by other prompts than those of now. Prints nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

#include "judge/judge.hpp"

namespace pasb {

struct AssessOptions {
    std::filesystem::path out;
    int repeats = 1;
    int jobs = 4;                 // runs at once
    bool again_unscored = false;  // make anew what is there without scores or labels
};

// Over the wanted results: valid runs times repeats, of this judge or annotator.
struct AssessResult {
    std::size_t wanted = 0;
    std::size_t before = 0;                      // there from an earlier call, and not made again
    std::size_t made = 0;                        // by this call
    std::size_t open = 0;                        // still to do
    std::size_t usable = 0;                      // with scores or labels, by this call or before
    std::size_t unusable = 0;                    // without
    std::map<std::string, std::size_t> reasons;  // calls without scores or labels in those, by reason
    std::size_t runs_without_valid_attempt = 0;
    CallUsage usage;  // of this call, results that could not be finished left out
    double seconds = 0;
    bool cancelled = false;
    bool judges_itself = false;       // its name is also that of an evaluated model
    std::string endpoint_failure;     // five results in a row failed by it, and the work was broken off; else empty
    std::filesystem::path torn_file;  // where a torn last line was put; empty: none

    [[nodiscard]] double unusable_share() const;  // of what is there; 0 where nothing is
};

// Told after each result; one caller at a time.
using AssessSink = std::function<void(std::size_t done, std::size_t wanted, std::size_t unusable)>;

// Into OUT/judgements.jsonl and OUT/annotations.jsonl. Throw InputError for what keeps them from starting or from
// writing: another pasb in the folder, no records, a line that was changed.
AssessResult judge_runs(Judge& judge, const std::string& name, const AssessOptions& options, std::stop_token stop,
                        const AssessSink& sink);
AssessResult annotate_runs(Annotator& annotator, const std::string& name, const AssessOptions& options,
                           std::stop_token stop, const AssessSink& sink);

}  // namespace pasb
