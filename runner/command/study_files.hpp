// The folders of evals as a study: reads records, judgements, annotations and plans, joins them and keeps their
// digests, in memory that grows with the number of runs and not with their texts. Not the statistics.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "analysis/study.hpp"
#include "model/baseline_texts.hpp"
#include "model/judged_run.hpp"
#include "report/document.hpp"

namespace pasb {

struct StudyOptions {
    std::vector<std::string> folders;
    std::string judge;      // empty: the only one, or the only one that is not simulated
    std::string annotator;  // likewise
    std::uint64_t seed = 1;
    std::size_t replicates = 2000;
    std::string published_file;  // configs/published.yaml
    std::string report_folder;   // inputs are named relative to it
};

// Where a line of a file stands.
struct LinePlace {
    std::size_t folder = 0;
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
};

// `folder` as seen from `from`; neither need exist.
std::filesystem::path relative_folder(const std::filesystem::path& folder, const std::filesystem::path& from);

class StudyFiles {
  public:
    // Throws InputError that names file and line, for a line that is broken or changed, a run in two folders, and
    // several judges of which none was named.
    explicit StudyFiles(const StudyOptions& options);

    [[nodiscard]] const Study& study() const { return study_; }
    [[nodiscard]] const Raters& raters() const { return raters_; }
    [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }
    // "<sha256>  <file>:<line>" for every line of the inputs, "<sha256>  <file>" for the small files.
    [[nodiscard]] const std::string& line_digests() const { return digests_; }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
    // Runs of the other arms, which are in no study yet; in the same order.
    [[nodiscard]] const std::vector<RunFacts>& other_arms() const { return other_arms_; }

    // Reads one run's lines again.
    [[nodiscard]] JudgedRun texts(const RunFacts& run) const;

    // Texts of the baseline's notes for one of the runs; empty where the eval kept none.
    [[nodiscard]] const BaselineTexts& baseline_texts(const RunFacts& run) const;

  private:
    using Places = std::map<std::string, LinePlace>;  // by run id

    void read_planned(std::size_t folder);
    void read_records(std::size_t folder, RunCollection& collection);
    void read_judgements(std::size_t folder, RunCollection& collection);
    void read_annotations(std::size_t folder, RunCollection& collection);
    void read_small(std::size_t folder, const std::string& file);  // for its digest
    void compare_with_plan();
    void warn(const RunCollection& collection);
    Effort& effort_of(const std::string& who);
    // Relative to the report's folder, so that a folder that has moved gives the same report.
    [[nodiscard]] std::string name_in_report(std::size_t folder, const std::string& file) const;

    template <typename Each>
    void read_lines(std::size_t folder, const std::string& file, const Each& each);
    template <typename Said>
    void read_said(std::size_t folder, const std::string& file, const std::string& wanted, Places& places,
                   const std::function<bool(const Said&)>& take);

    StudyOptions options_;
    Study study_;
    Raters raters_;
    std::vector<Input> inputs_;
    std::string digests_;
    std::vector<std::string> warnings_;
    std::map<std::pair<std::size_t, std::string>, BaselineTexts> baselines_;  // by folder and framework
    std::set<std::string> planned_;                                           // run ids of the main arm
    std::set<std::string> started_;                                           // run ids of the main arm with a record
    std::string unplanned_folders_;                                           // without a plan.json, comma-separated
    std::set<std::string> judged_how_;  // prompts and settings of the judgements that are used
    Places judgements_;
    Places annotations_;
    std::vector<RunFacts> other_arms_;
};

}  // namespace pasb
