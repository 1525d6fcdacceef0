// An eval: tasks x frameworks with one model, run by several workers, every finished attempt in the journal. Prints
// nothing: what happens is told to an observer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "model/record.hpp"
#include "run/project_files.hpp"
#include "run/run_context.hpp"

namespace pasb {

struct EvalOptions {
    std::vector<std::string> tasks;  // files or folders
    std::vector<std::string> frameworks;
    std::string model;
    std::filesystem::path out;
    std::size_t limit = 0;  // tasks per framework; 0: all
    int jobs = 0;           // runs at once; 0: one a core
    int attempts = 3;       // per run and call of the program
    FlushPolicy flush = FlushPolicy::paper;
    std::string engine;  // see find_engine
    std::uint64_t seed = 0;
    ContainerLimits limits;
};

class EvalObserver {
  public:
    EvalObserver() = default;
    EvalObserver(const EvalObserver&) = delete;
    EvalObserver& operator=(const EvalObserver&) = delete;
    virtual ~EvalObserver() = default;
    virtual void remark(const std::string& line) = 0;  // set-up, warnings
    virtual void planned(std::size_t runs, std::size_t done) = 0;
    virtual void stage(const std::string& run_id, const std::string& stage) = 0;
    virtual void attempt_ended(const Record& record) = 0;
};

struct EvalResult {
    std::size_t planned = 0;
    std::size_t skipped = 0;  // valid records from an earlier call
    std::size_t valid = 0;    // made now
    std::size_t invalid = 0;  // runs whose attempts all failed
    bool cancelled = false;
};

// Throws InputError and EngineError for what keeps the eval from starting or from writing.
EvalResult run_eval(const EvalOptions& options, const ProjectFiles& files, EvalObserver& observer,
                    std::stop_token stop);

}  // namespace pasb
