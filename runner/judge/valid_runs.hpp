// The runs of an output folder that may be judged: those with a valid attempt. Keeps where their records stand, not the
// records.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/record.hpp"

namespace pasb {

struct ValidRun {
    std::string run_id;
    std::string task_id;
    std::string base_item_id;
    Family family = Family::prf;
    std::string model;
    std::string framework;
    int attempt = 1;
    std::string record_sha256;  // of the record's line, without the newline
    int line = 0;               // from 1
    std::uint64_t offset = 0;
    std::size_t size = 0;
};

class ValidRuns {
  public:
    // Reads records.jsonl once; a torn last line is passed over. Of several valid attempts at a run (which an eval does
    // not make) the first counts, as in the report. Throws InputError that names the line.
    explicit ValidRuns(std::filesystem::path records_file);

    [[nodiscard]] const std::vector<ValidRun>& runs() const { return runs_; }  // in the order of the file
    [[nodiscard]] std::size_t without_valid_attempt() const { return invalid_; }

    // From any thread. Throws InputError that names the line.
    [[nodiscard]] Record read(const ValidRun& run) const;

  private:
    std::filesystem::path file_;
    std::vector<ValidRun> runs_;
    std::size_t invalid_ = 0;  // runs whose attempts are all invalid
};

// `sample` of the runs, drawn by `seed` and spread over the combinations of model and framework as evenly as their
// numbers allow, in an order that tells nothing; with 0 all, as they stand. Draws the same whatever the runs' order.
std::vector<ValidRun> sampled(std::vector<ValidRun> runs, std::size_t sample, std::uint64_t seed);

}  // namespace pasb
