// The program's subcommands. Each returns its exit code; bad input and engine trouble are thrown and answered in main.
#pragma once

#include <string>
#include <vector>

#include "run/eval.hpp"

namespace pasb {

// Documented in README.md; scripts rely on them.
namespace exit_code {
inline constexpr int ok = 0;
inline constexpr int unexpected = 1;
inline constexpr int bad_input = 2;
inline constexpr int invalid_runs = 3;
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

enum class ImagesAction { build, list, verify, freeze };
int images_command(ImagesAction action, const std::vector<std::string>& names, const CommonOptions& common);

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
