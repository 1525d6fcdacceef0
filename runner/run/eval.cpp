#include "run/eval.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "agent/adapter_file.hpp"
#include "model/errors.hpp"
#include "plan/plan.hpp"
#include "plan/task_file.hpp"
#include "run/baseline_texts_file.hpp"
#include "run/exchange_file.hpp"
#include "run/journal.hpp"
#include "run/load_tasks.hpp"
#include "run/plan_file.hpp"
#include "run/run.hpp"
#include "sandbox/engine_finder.hpp"
#include "sandbox/image_builder.hpp"
#include "sandbox/leftovers.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;

constexpr int requests_per_run = 400;  // a run makes about 25; a loop must end
constexpr auto setup_limit = 90min;    // a first build fetches and packs both frameworks

// One framework made ready: its adapter, its image in the engine, checked against its baseline.
struct Framework {
    Adapter adapter;
    BuiltImage image;
    Baseline baseline;
    Snapshot home;
    std::vector<std::string> warnings;
};

std::vector<Task> read_tasks(const std::vector<std::string>& paths) {
    std::vector<Task> tasks;
    for (const std::string& path : paths) {
        std::vector<Task> more = load_tasks(path);
        std::move(more.begin(), more.end(), std::back_inserter(tasks));
    }
    return unique_tasks(std::move(tasks));
}

void refuse_changed_image(const Framework& framework, const std::string& file, const BaselineCheck& check) {
    std::string text = "image " + framework.image.tag + " does not match its baseline " + file + ":";
    constexpr std::size_t shown = 20;
    for (std::size_t i = 0; i < std::min(shown, check.differences.size()); ++i) {
        text += "\n  " + check.differences[i];
    }
    if (check.differences.size() > shown) {
        text += "\n  and " + std::to_string(check.differences.size() - shown) + " more";
    }
    throw InputError(text + "\nundo the change, or accept the new image with `pasb images freeze`");
}

Framework prepare(const std::string& name, const ProjectFiles& files, const Engine& engine, const std::string& owner,
                  EvalObserver& observer, const Deadline& deadline) {
    Framework framework;
    framework.adapter = load_adapter(files.adapter_folder(name));
    ImageBuilder builder(files.image_folders(), default_cache_folder(),
                         [&observer](const std::string& line) { observer.remark(line); });
    framework.image = builder.ensure(engine, framework.adapter.image, deadline);
    const std::string file = files.baseline_file(framework.adapter.image);
    framework.baseline = read_baseline(file);
    const auto image = engine.image(framework.image.id, deadline);
    ObservedImage observed = observe_image(engine, framework.adapter, image.value(), owner, deadline);
    const BaselineCheck check = check_baseline(framework.baseline, observed.baseline);
    if (!check.differences.empty()) {
        refuse_changed_image(framework, file, check);
    }
    framework.warnings = check.warnings;
    framework.home = std::move(observed.home);
    return framework;
}

nlohmann::json limits_json(const ContainerLimits& limits) {
    return {{"pids", limits.pids},           {"memory_bytes", limits.memory_bytes}, {"cpus", limits.cpus},
            {"tmp_bytes", limits.tmp_bytes}, {"file_bytes", limits.file_bytes},     {"open_files", limits.open_files},
            {"processes", limits.processes}};
}

class Eval {
  public:
    Eval(const EvalOptions& options, const ProjectFiles& files, EvalObserver& observer, std::stop_token stop)
        : options_(options), files_(files), observer_(observer), stop_(std::move(stop)) {}

    EvalResult run() {
        const std::vector<Task> tasks = read_tasks(options_.tasks);
        model_ = resolve_model(options_.model, read_models(files_.models_file()), process_environment);
        set_up_engine();
        for (const std::string& name : options_.frameworks) {
            prepare_framework(name);
        }
        PlanRequest request{tasks, options_.frameworks, {options_.model}, "main", options_.seed, options_.limit};
        plan_ = plan_runs(request);
        journal_.emplace(options_.out, configuration_of(tasks));
        if (!journal_->torn_file().empty()) {
            observer_.remark("a torn last record was set aside in " + journal_->torn_file().string() +
                             "; its run is repeated");
        }
        add_to_plan(options_.out, plan_);
        for (const auto& [name, framework] : frameworks_) {
            write_baseline_texts(options_.out, name, framework.baseline.manifest, framework.home);
        }
        const std::set<std::string> finished = journal_->finished_valid();
        for (const RunSpec& spec : plan_) {
            if (finished.contains(spec.run_id)) {
                ++result_.skipped;
            } else {
                waiting_.push_back(&spec);
            }
        }
        result_.planned = plan_.size();
        observer_.planned(plan_.size(), result_.skipped);
        work();
        result_.cancelled = stop_.stop_requested();
        return result_;
    }

  private:
    void set_up_engine() {
        const Deadline deadline = Deadline::after(2min, stop_);
        found_ = find_engine(options_.engine, runtime_.path(), deadline);
        observer_.remark("container engine: " + found_.engine->quirks().name + " " + found_.engine->version().version +
                         " (" + found_.how + ")");
        for (const std::string& remark : found_.remarks) {
            observer_.remark("host: " + remark);
        }
        for (const std::string& name : remove_leftovers(*found_.engine, false, deadline)) {
            observer_.remark("removed a container of a runner that has died: " + name);
        }
    }

    void prepare_framework(const std::string& name) {
        const Deadline deadline = Deadline::after(setup_limit, stop_);
        Framework framework = prepare(name, files_, *found_.engine, runtime_.owner(), observer_, deadline);
        for (const std::string& warning : framework.warnings) {
            observer_.remark("warning: " + name + ": " + warning);
        }
        frameworks_.emplace(name, std::move(framework));
    }

    nlohmann::json configuration_of(const std::vector<Task>& tasks) const {
        Configuration configuration;
        for (const auto& [name, framework] : frameworks_) {
            configuration.frameworks.push_back({name, framework.adapter.version, framework.adapter.sha256,
                                                framework.image.id, framework.baseline.sha256});
        }
        configuration.models.push_back({{"name", model_.name}, {"id", model_.id}, {"simulated", model_.simulated}});
        configuration.seed = options_.seed;
        configuration.flush = to_string(options_.flush);
        configuration.limits = limits_json(options_.limits);
        return configuration_json(configuration, tasks);
    }

    RunContext context_for(const Framework& framework) const {
        return {*found_.engine,     runtime_, framework.adapter, framework.baseline, framework.home,
                framework.image.id, model_,   options_.flush,    options_.limits,    framework.warnings,
                requests_per_run,   stop_};
    }

    void work() {
        const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        const auto jobs = static_cast<std::size_t>(options_.jobs > 0 ? options_.jobs : cores);
        std::vector<std::jthread> workers;
        for (std::size_t i = 0; i < std::min(jobs, waiting_.size()); ++i) {
            workers.emplace_back([this] { take_runs(); });
        }
        workers.clear();  // joins
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

    void take_runs() {
        try {
            while (!stop_.stop_requested() && !halted_.load()) {
                const std::size_t index = next_.fetch_add(1);
                if (index >= waiting_.size()) {
                    return;
                }
                finish_run(*waiting_[index]);
            }
        } catch (...) {
            // The journal cannot be written: nothing more may be started, and what runs is not lost silently.
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            halted_ = true;
        }
    }

    void finish_run(const RunSpec& spec) {
        const RunContext context = context_for(frameworks_.at(spec.framework));
        const StageSink stage = [this](const std::string& run_id, const std::string& name) {
            observer_.stage(run_id, name);
        };
        for (int tries = 0; tries < options_.attempts; ++tries) {
            Attempt attempt = run_attempt(context, spec, journal_->attempts(spec.run_id) + 1, stage);
            if (attempt.record.invalid_reason == reason::cancelled) {
                return;  // nothing was measured: the run is simply still to do
            }
            keep(attempt);
            if (!worth_another_attempt(attempt.record)) {
                count(attempt.record.valid);
                return;
            }
        }
        count(false);
    }

    void keep(Attempt& attempt) {
        Record& record = attempt.record;
        record.exchanges =
            write_exchanges(options_.out, record.run_id + "-a" + std::to_string(record.attempt), attempt.exchanges);
        journal_->append(nlohmann::json::parse(to_line(record)));
        observer_.attempt_ended(record);
    }

    void count(bool valid) {
        const std::lock_guard lock(mutex_);
        (valid ? result_.valid : result_.invalid) += 1;
    }

    const EvalOptions& options_;
    const ProjectFiles& files_;
    EvalObserver& observer_;
    std::stop_token stop_;
    RuntimeFolder runtime_;
    FoundEngine found_;
    ResolvedModel model_;
    std::map<std::string, Framework> frameworks_;
    std::vector<RunSpec> plan_;
    std::optional<Journal> journal_;
    std::vector<const RunSpec*> waiting_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> halted_{false};
    std::mutex mutex_;
    std::exception_ptr failure_;
    EvalResult result_;
};

}  // namespace

EvalResult run_eval(const EvalOptions& options, const ProjectFiles& files, EvalObserver& observer,
                    std::stop_token stop) {
    return Eval(options, files, observer, std::move(stop)).run();
}

}  // namespace pasb
