// The program's subcommands. Each returns its exit code; bad input and engine trouble are thrown and answered in main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "judge/assess.hpp"
#include "run/eval.hpp"

namespace pasb {

// Documented in README.md; scripts rely on them.
namespace exit_code {
inline constexpr int ok = 0;
inline constexpr int unexpected = 1;
inline constexpr int bad_input = 2;
inline constexpr int invalid_runs = 3;
inline constexpr int too_many_unscored = 3;  // judge, annotate
inline constexpr int not_done = 3;           // likewise: the endpoint failed, --max-requests, or no valid run
inline constexpr int engine = 4;
inline constexpr int check_failed = 5;  // doctor, images verify, export --fail-over
inline constexpr int interrupted = 130;
}  // namespace exit_code

struct CommonOptions {
    std::vector<std::string> also;  // further folders laid out like the project
    std::string engine;
};

int eval_command(const EvalOptions& options, const CommonOptions& common);
int show_command(const std::string& out, const std::string& run, bool exchanges);
int clean_command(const CommonOptions& common, bool all);

struct DoctorOptions {
    std::string model;  // empty: no upstream is asked
    std::vector<std::string> frameworks;
    std::string out;  // whose disk is looked at
};
int doctor_command(const DoctorOptions& options, const CommonOptions& common);

struct JudgeOptions {
    AssessOptions work;
    std::string judge;
    double limit_unscored = 0.05;   // share of the judgements above which the exit code says so
    std::int64_t max_requests = 0;  // 0: no limit
    bool check = false;             // only look whether the judge can be asked
    std::string export_file;        // instead of judging: a sheet for people
    std::string import_file;        // instead of judging: what people filled in
    std::size_t sample = 0;         // of an export; 0: all runs
    std::uint64_t seed = 0;         // of the sample
};
int judge_command(const JudgeOptions& options);

struct AnnotateOptions {
    AssessOptions work;
    std::string annotator;
    double limit_unlabelled = 0.05;
    std::int64_t max_requests = 0;
    bool check = false;
    std::string export_file;  // instead of annotating: a sheet for people
    std::string import_file;  // instead of annotating: what people filled in
    std::size_t sample = 0;   // of an export; 0: all runs
    std::uint64_t seed = 0;   // of the sample
};
int annotate_command(const AnnotateOptions& options);

enum class ImagesAction { build, list, verify, freeze };
int images_command(ImagesAction action, const std::vector<std::string>& names, const CommonOptions& common);

struct ReportOptions {
    std::vector<std::string> folders;  // OUT folders of evals
    std::string out;                   // empty: `report` in the only folder
    std::string judge;
    std::string annotator;
    std::uint64_t seed = 1;
    std::size_t readers = 2000;  // most runs whose whole story stands in the page
    bool print = false;          // report.md also on standard output
};
int report_command(const ReportOptions& options);

// `named`: the OUT folder of an eval with a report in it, or a report's own folder.
int verify_command(const std::string& named, const CommonOptions& common);

struct AgreementOptions {
    std::vector<std::string> folders;  // OUT folders of evals
    std::string reference;             // a rater; empty: all
    std::string rated;                 // likewise
    std::string to_dir;                // empty: `agreement` in the only folder
    std::uint64_t seed = 1;            // of the bootstrap
};
int agreement_command(const AgreementOptions& options);

struct ExportOptions {
    std::string folder;  // of an eval
    std::string to;      // csv, inspect, junit or hf
    std::string to_dir;
    std::string judge;  // empty: the only one
    std::string annotator;
    std::vector<std::string> fail_over;  // NAME=PERCENT, for junit
};
int export_command(const ExportOptions& options);

}  // namespace pasb
