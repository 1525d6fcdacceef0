#include "judge/assess.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "judge/sealed_file.hpp"
#include "judge/valid_runs.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// A hung endpoint must not hold a worker for ever: four calls with all their retries.
constexpr std::chrono::hours run_limit{4};

constexpr int most_failed_in_a_row = 5;

// What a result is found by again; the digest stands for run and attempt, the run id for people.
using Key = std::tuple<std::string, std::string, int>;  // run id, record's digest, repeat

// The reasons of all calls of a result that have no scores or labels; empty: usable.
std::vector<std::string> reasons_of(const Judgement& judgement) {
    std::vector<std::string> reasons;
    for (const AnswerVerdict& verdict : judgement.answers) {
        reasons.push_back(verdict.unscored);
    }
    reasons.push_back(judgement.cross_turn.unscored);
    std::erase(reasons, "");
    return reasons;
}

std::vector<std::string> reasons_of(const Annotation& annotation) {
    return annotation.unlabelled.empty() ? std::vector<std::string>{} : std::vector{annotation.unlabelled};
}

// The digests of the prompts by which a result was made; files may be renamed.
json digests_of(const json& prompts) {
    json digests = json::object();
    for (const auto& [call, prompt] : prompts.items()) {
        digests[call] = prompt.is_object() ? prompt.value("sha256", json()) : json();
    }
    return digests;
}

json prompts_of(const Judgement& judgement) {
    return digests_of(judgement.prompts);
}

json prompts_of(const Annotation& annotation) {
    return digests_of({{"annotation", annotation.prompt}});
}

// An endpoint's words after the colon would make every reason its own.
std::string countable(const std::string& reason) {
    return reason.starts_with(unscored::upstream_failed) ? "upstream-failed" : reason;
}

// What the work needs to know of judging or annotating; `Result` is Judgement or Annotation.
template <typename Result>
struct Kind {
    const char* file;
    std::string name;  // of the judge or annotator
    json prompts;      // what prompts_of its results will be
    std::function<Result(const Record&, const std::string&, int, const Deadline&)> make;
    std::function<Result(const json&)> read;
    std::function<std::string(const Result&)> by;
};

template <typename Result>
class Assessment {
  public:
    Assessment(Kind<Result> kind, const AssessOptions& options, std::stop_token stop, const AssessSink& sink)
        : kind_(std::move(kind)),
          options_(options),
          stop_(std::move(stop)),
          sink_(sink),
          runs_(options.out / "records.jsonl"),  // before the lock, which would make the folder
          lock_(options.out),
          file_(options.out / kind_.file, [this](const json& line) { remember(kind_.read(line)); }) {}

    AssessResult run() {
        const auto start = Clock::now();
        plan();
        std::vector<std::jthread> workers;
        const auto jobs = static_cast<std::size_t>(std::max(1, options_.jobs));
        for (std::size_t i = 0; i < std::min(jobs, to_do_.size()); ++i) {
            workers.emplace_back([this] { work(); });
        }
        workers.clear();  // joins
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        result_.cancelled = stop_.stop_requested();
        result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return count();
    }

  private:
    struct Item {
        const ValidRun* run = nullptr;
        int repeat = 1;
    };

    // Of several lines with one key the last counts. One that was made by other prompts is not there: what an edited
    // prompt gives is not to be mixed with what the old one gave.
    void remember(const Result& result) {
        if (kind_.by(result) != kind_.name) {
            return;
        }
        const Key key{result.run_id, result.record_sha256, result.repeat};
        if (prompts_of(result) == kind_.prompts) {
            there_[key] = reasons_of(result);
        } else {
            there_.erase(key);
        }
    }

    void plan() {
        for (int repeat = 1; repeat <= options_.repeats; ++repeat) {
            for (const ValidRun& run : runs_.runs()) {
                const auto found = there_.find({run.run_id, run.record_sha256, repeat});
                const bool done = found != there_.end() && (found->second.empty() || !options_.again_unscored);
                result_.before += done ? 1U : 0U;
                if (!done) {
                    to_do_.push_back({&run, repeat});
                }
            }
        }
        result_.wanted = result_.before + to_do_.size();
        result_.runs_without_valid_attempt = runs_.without_valid_attempt();
        result_.torn_file = file_.torn_file();
    }

    void work() {
        try {
            while (!stop_.stop_requested() && !halted_.load()) {
                const std::size_t index = next_.fetch_add(1);
                if (index >= to_do_.size()) {
                    return;
                }
                make(to_do_[index]);
            }
        } catch (const NetError&) {
            halted_ = true;  // interrupted or out of requests: what is not there is still to do
        } catch (...) {
            // The file cannot be written or a record not be read: nothing more may be started.
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            halted_ = true;
        }
    }

    void make(const Item& item) {
        const Record record = runs_.read(*item.run);
        const Result result =
            kind_.make(record, item.run->record_sha256, item.repeat, Deadline::after(run_limit, stop_));
        file_.append(to_json(result));
        const std::lock_guard lock(mutex_);
        remember(result);
        ++result_.made;
        result_.judges_itself |= record.model == kind_.name;
        const std::vector<std::string> reasons = reasons_of(result);
        unusable_made_ += reasons.empty() ? 0U : 1U;
        watch_endpoint(reasons);
        result_.usage.add({result.usage.value("requests", 0), result.usage.value("prompt_tokens", std::int64_t{0}),
                           result.usage.value("completion_tokens", std::int64_t{0})});
        if (sink_) {
            sink_(result_.before + result_.made, result_.wanted, unusable_made_);
        }
    }

    // An endpoint that refuses the key or has gone fails every run: that is one mishap, not thousands of results.
    void watch_endpoint(const std::vector<std::string>& reasons) {
        const bool failed = !reasons.empty() && std::all_of(reasons.begin(), reasons.end(), [](const auto& reason) {
            return reason.starts_with(unscored::upstream_failed);
        });
        failed_in_a_row_ = failed ? failed_in_a_row_ + 1 : 0;
        if (failed_in_a_row_ >= most_failed_in_a_row) {
            result_.endpoint_failure = reasons.front();
            halted_ = true;
        }
    }

    AssessResult count() {
        for (int repeat = 1; repeat <= options_.repeats; ++repeat) {
            for (const ValidRun& run : runs_.runs()) {
                const auto found = there_.find({run.run_id, run.record_sha256, repeat});
                if (found == there_.end()) {
                    ++result_.open;
                    continue;
                }
                ++(found->second.empty() ? result_.usable : result_.unusable);
                for (const std::string& reason : found->second) {
                    ++result_.reasons[countable(reason)];
                }
            }
        }
        return result_;
    }

    const Kind<Result> kind_;
    const AssessOptions& options_;
    const std::stop_token stop_;
    const AssessSink& sink_;
    const ValidRuns runs_;
    std::map<Key, std::vector<std::string>> there_;
    FolderLock lock_;
    SealedFile file_;
    std::vector<Item> to_do_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> halted_{false};
    std::mutex mutex_;
    std::exception_ptr failure_;
    std::size_t unusable_made_ = 0;
    int failed_in_a_row_ = 0;
    AssessResult result_;
};

}  // namespace

double AssessResult::unusable_share() const {
    const std::size_t there = usable + unusable;
    return there == 0 ? 0.0 : static_cast<double>(unusable) / static_cast<double>(there);
}

AssessResult judge_runs(Judge& judge, const std::string& name, const AssessOptions& options, std::stop_token stop,
                        const AssessSink& sink) {
    Kind<Judgement> kind{"judgements.jsonl",
                         name,
                         digests_of(judge.prompts()),
                         [&judge](const Record& record, const std::string& sha256, int repeat,
                                  const Deadline& deadline) { return judge.judge(record, sha256, repeat, deadline); },
                         judgement_from_json,
                         [](const Judgement& judgement) { return judgement.judge; }};
    return Assessment<Judgement>(std::move(kind), options, std::move(stop), sink).run();
}

AssessResult annotate_runs(Annotator& annotator, const std::string& name, const AssessOptions& options,
                           std::stop_token stop, const AssessSink& sink) {
    Kind<Annotation> kind{
        "annotations.jsonl",
        name,
        digests_of({{"annotation", annotator.prompt()}}),
        [&annotator](const Record& record, const std::string& sha256, int repeat, const Deadline& deadline) {
            return annotator.annotate(record, sha256, repeat, deadline);
        },
        annotation_from_json,
        [](const Annotation& annotation) { return annotation.annotator; }};
    return Assessment<Annotation>(std::move(kind), options, std::move(stop), sink).run();
}

}  // namespace pasb
