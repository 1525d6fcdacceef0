#include "run/run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <future>
#include <random>
#include <set>
#include <thread>

#include "changes/path_rules.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "run/account.hpp"
#include "run/chat_sandbox.hpp"
#include "run/utc.hpp"
#include "sandbox/layer.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;
using namespace nlohmann::literals;
using Clock = std::chrono::steady_clock;

// No honest run takes longer; a hung one must not hold its place for ever.
constexpr auto run_limit = 60min;

constexpr int boot_tries = 2;

// At the end of a fixed flush wait this much quiet counts as settled.
constexpr std::chrono::seconds still_seconds{5};

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The one thing in a run that may be random: no earlier text can hold it by chance or by intent.
std::string make_canary() {
    std::random_device random;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string canary = "pasb-canary-";
    for (int i = 0; i < 32; ++i) {
        canary += digits[random() & 15U];
    }
    return canary;
}

void sleep_or_stop(std::chrono::milliseconds span, const Deadline& deadline) {
    const Deadline end = deadline.within(span);
    while (!end.passed() && !end.cancelled()) {
        std::this_thread::sleep_for(std::min(end.left(), 100ms));
    }
}

TarEntry agent_entry(const std::string& path, FileType type, std::uint32_t mode) {
    TarEntry entry;
    entry.path = path;
    entry.type = type;
    entry.mode = mode;
    entry.uid = entry.gid = agent_uid;
    return entry;
}

// The folders above `path` that the baseline lacks; those it has must keep their modes.
void add_missing_parents(std::vector<TarEntry>& entries, std::set<std::string>& made, const std::string& path,
                         const Manifest& baseline) {
    for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        const std::string parent = path.substr(0, slash);
        if (!baseline.contains(parent) && made.insert(parent).second) {
            entries.push_back(agent_entry(parent, FileType::directory, 0755));
        }
    }
}

std::string tar_of(const std::vector<NoteRecord>& notes, const Manifest& baseline) {
    std::vector<TarEntry> entries;
    std::set<std::string> made;
    for (const NoteRecord& note : notes) {
        add_missing_parents(entries, made, note.path, baseline);
        const auto before = baseline.find(note.path);
        TarEntry entry =
            agent_entry(note.path, FileType::regular, before == baseline.end() ? 0644 : before->second.mode);
        entry.content = note.text;
        entry.mtime = std::time(nullptr);
        entries.push_back(std::move(entry));
    }
    return write_tar(entries);
}

class Run {
  public:
    Run(const RunContext& context, const RunSpec& spec, int attempt, const StageSink& stage)
        : context_(context),
          spec_(spec),
          stage_(stage),
          start_(Clock::now()),
          deadline_(Deadline::after(run_limit, context.stop)),
          canary_(make_canary()),
          budget_(std::make_shared<RequestBudget>(context.requests_per_run)) {
        Record& record = attempt_.record;
        record.run_id = spec.run_id;
        record.task = *spec.task;
        record.framework = context.adapter.framework;
        record.framework_version = context.adapter.version;
        record.model = spec.model;
        record.simulated = context.model.simulated;
        record.arm = spec.arm;
        record.attempt = attempt;
        record.image_id = context.image_id;
        record.baseline = context.baseline.sha256;
        record.warnings = context.warnings;
        record.flush.policy = to_string(context.flush);
        record.times["started"] = utc_now();
    }

    Attempt go() {
        try {
            live();
        } catch (const RunFailed& failure) {
            fail(failure.reason(), failure.what());
        } catch (const EngineError& error) {
            fail(deadline_.cancelled() ? reason::cancelled : reason::engine_failed, error.what());
        } catch (const NetError& error) {
            fail(reason::engine_failed, error.what());
        }
        finish();
        return std::move(attempt_);
    }

  private:
    void live() {
        say("boot");
        boot(first_, Chat::first, deadline_);
        // The second container boots while the first chat goes on.
        std::stop_source give_up;
        const std::stop_callback stopped(context_.stop, [&give_up] { give_up.request_stop(); });
        const Deadline boot_deadline(deadline_.at(), give_up.get_token());
        std::future<void> second_ready =
            std::async(std::launch::async, [&] { boot(second_, Chat::follow_up, boot_deadline); });
        try {
            hold_first_chat();
            cut();
        } catch (...) {
            give_up.request_stop();
            second_ready.wait();
            throw;
        }
        second_ready.get();
        hold_follow_up();
        end_follow_up();
        attempt_.record.valid = true;
    }

    // A container that never became ready has held no chat, so a fresh one may take its place within the attempt.
    void boot(std::unique_ptr<ChatSandbox>& sandbox, Chat chat, const Deadline& deadline) {
        for (int tries_left = boot_tries - 1;; --tries_left) {
            sandbox.reset();
            sandbox = std::make_unique<ChatSandbox>(
                context_, ChatSandbox::Identity{spec_.run_id, attempt_.record.attempt, chat, canary_}, start_, budget_);
            try {
                return sandbox->boot(deadline);
            } catch (const RunFailed& failure) {
                if (failure.reason() != reason::agent_not_ready || tries_left == 0) {
                    throw;
                }
                ++boots_repeated_;
            }
        }
    }

    void hold_first_chat() {
        plant_canary();
        const auto begin = Clock::now();
        for (int turn = 1; turn <= first_chat_turns; ++turn) {
            say("turn " + std::to_string(turn));
            const std::string& text = spec_.task->turns[static_cast<std::size_t>(turn - 1)];
            attempt_.record.first_chat.push_back(first_->take_turn(turn, text, deadline_));
        }
        attempt_.record.times["first_chat_s"] = seconds_since(begin);
        say("flush");
        flush();
    }

    void plant_canary() {
        std::vector<TarEntry> entries;
        std::set<std::string> made;
        add_missing_parents(entries, made, context_.adapter.canary, context_.baseline.manifest);
        TarEntry entry = agent_entry(context_.adapter.canary, FileType::regular, 0644);
        entry.content = canary_ + "\n";
        entries.push_back(std::move(entry));
        first_->write_tar(write_tar(entries), deadline_);
    }

    [[nodiscard]] bool quiet(std::chrono::seconds span) {
        Gateway& gateway = first_->gateway();
        if (gateway.in_flight() > 0 || Gateway::Clock::now() - gateway.last_activity() < span) {
            return false;
        }
        const auto changed = first_->recently_changed(static_cast<int>(span.count()), deadline_);
        return std::none_of(changed.begin(), changed.end(), [this](const std::string& path) {
            const PathKind kind = classify(path, context_.adapter.paths, context_.adapter.home);
            return is_note(kind) || kind == PathKind::proposal || kind == PathKind::unknown;
        });
    }

    void flush() {
        const Adapter& adapter = context_.adapter;
        const std::chrono::seconds span(adapter.flush_quiet_s);
        const auto begin = Clock::now();
        if (context_.flush == FlushPolicy::paper) {
            sleep_or_stop(std::chrono::seconds(adapter.flush_paper_s), deadline_);
            // The fixed wait may be shorter than the framework's own quiet time; a few still seconds at its end is what
            // can be said.
            attempt_.record.flush.settled = quiet(std::min(span, still_seconds));
        } else {
            const Deadline cap = deadline_.within(std::chrono::seconds(adapter.flush_cap_s));
            do {
                sleep_or_stop(span, cap);
                attempt_.record.flush.settled = quiet(span);
            } while (!attempt_.record.flush.settled && !cap.passed() && !cap.cancelled());
        }
        attempt_.record.flush.waited_s = seconds_since(begin);
        if (deadline_.cancelled()) {
            throw RunFailed(reason::cancelled, "stopped during the flush wait");
        }
    }

    // What was saved is read from the dead container; then the container goes, and with it everything but the notes.
    void cut() {
        say("capture");
        note_limits(*first_);
        const auto begin = Clock::now();
        const Capture capture = first_->kill_and_capture(deadline_);
        note_usage("first", *first_);
        keep_exchanges(*first_);
        first_->destroy();
        if (capture.truncated) {
            throw RunFailed(reason::capture_failed, "the agent's home was not read whole: " + capture.what);
        }
        crossing_ = account_for_changes(attempt_.record, context_.adapter, context_.baseline.manifest,
                                        context_.baseline_home, capture.home, capture.outside);
        for (const std::string& note : crossing_.refused) {
            attempt_.record.warnings.push_back("note-does-not-cross: " + note);
        }
        if (!capture.canary_found) {
            attempt_.record.warnings.emplace_back("canary-gone: the agent removed the canary file of container 1");
        }
        attempt_.record.times["capture_s"] = seconds_since(begin);
    }

    void hold_follow_up() {
        if (!crossing_.put.empty()) {
            second_->write_tar(tar_of(crossing_.put, context_.baseline.manifest), deadline_);
        }
        if (!crossing_.removed.empty()) {
            second_->delete_files(crossing_.removed, deadline_);
        }
        const auto begin = Clock::now();
        for (int turn = 1; turn <= follow_up_turns; ++turn) {
            say("follow-up " + std::to_string(turn));
            const std::string& text = spec_.task->questions[static_cast<std::size_t>(turn - 1)];
            attempt_.record.follow_up.push_back(second_->take_turn(turn, text, deadline_));
        }
        attempt_.record.times["follow_up_s"] = seconds_since(begin);
    }

    void end_follow_up() {
        note_limits(*second_);
        const Capture capture = second_->kill_and_capture(deadline_);
        second_home_known_ = !capture.truncated;
        canary_in_second_home_ = capture.canary_found;
    }

    void note_limits(ChatSandbox& sandbox) {
        const LimitsInForce found = sandbox.probe_limits(deadline_);
        Record& record = attempt_.record;
        const char* const container = &sandbox == first_.get() ? "first" : "second";
        record.limits[container] = found.limits;
        for (const std::string& warning : found.warnings) {
            if (std::find(record.warnings.begin(), record.warnings.end(), warning) == record.warnings.end()) {
                record.warnings.push_back(warning);
            }
        }
    }

    void note_usage(const std::string& container, const ChatSandbox& sandbox) {
        const SandboxUsage& usage = sandbox.usage();
        attempt_.record.times["containers"][container] = {{"boot_s", usage.boot_s},
                                                          {"boot_cpu_s", usage.boot_cpu_s},
                                                          {"cpu_s", usage.cpu_s},
                                                          {"peak_memory_bytes", usage.peak_memory},
                                                          {"engine_calls_s", usage.engine_s}};
    }

    void keep_exchanges(ChatSandbox& sandbox) {
        sandbox.gateway().stop();
        std::vector<Exchange> exchanges = sandbox.gateway().exchanges();
        std::move(exchanges.begin(), exchanges.end(), std::back_inserter(attempt_.exchanges));
    }

    void fail(std::string_view why, const std::string& detail) {
        attempt_.record.valid = false;
        attempt_.record.invalid_reason = why;
        attempt_.record.invalid_detail = detail;
    }

    void finish() {
        Record& record = attempt_.record;
        for (ChatSandbox* sandbox : {first_.get(), second_.get()}) {
            if (sandbox != nullptr && !kept(*sandbox)) {
                keep_exchanges(*sandbox);
            }
        }
        if (first_ && !record.times.contains("/containers/first"_json_pointer)) {
            note_usage("first", *first_);
        }
        if (second_) {
            note_usage("second", *second_);
        }
        if (boots_repeated_ > 0) {
            record.warnings.push_back("boot-repeated: " + std::to_string(boots_repeated_));
        }
        first_.reset();
        second_.reset();
        std::stable_sort(attempt_.exchanges.begin(), attempt_.exchanges.end(),
                         [](const Exchange& a, const Exchange& b) { return a.started_s < b.started_s; });
        if (budget_->exceeded()) {
            record.warnings.emplace_back("request-budget-exceeded");
        }
        account_for_evidence(record, {context_.adapter, context_.baseline_home, attempt_.exchanges, crossing_, canary_,
                                      canary_in_second_home_, second_home_known_});
        record.usage = usage_of(attempt_.exchanges);
        record.times["total_s"] = seconds_since(start_);
        record.times["ended"] = utc_now();
        say(record.valid ? "done" : "invalid");
    }

    [[nodiscard]] bool kept(const ChatSandbox& sandbox) const {
        const Chat chat = &sandbox == first_.get() ? Chat::first : Chat::follow_up;
        return std::any_of(attempt_.exchanges.begin(), attempt_.exchanges.end(),
                           [chat](const Exchange& exchange) { return exchange.chat == chat; });
    }

    void say(const std::string& stage) const {
        if (stage_) {
            stage_(spec_.run_id, stage);
        }
    }

    const RunContext& context_;
    const RunSpec& spec_;
    const StageSink& stage_;
    Clock::time_point start_;
    Deadline deadline_;
    std::string canary_;
    std::shared_ptr<RequestBudget> budget_;
    std::unique_ptr<ChatSandbox> first_;
    std::unique_ptr<ChatSandbox> second_;
    Crossing crossing_;
    std::atomic<int> boots_repeated_{0};
    bool canary_in_second_home_ = false;
    bool second_home_known_ = false;
    Attempt attempt_;
};

}  // namespace

std::string_view to_string(FlushPolicy policy) {
    return policy == FlushPolicy::paper ? "paper" : "settled";
}

FlushPolicy flush_policy_from(std::string_view name) {
    if (name == "paper") {
        return FlushPolicy::paper;
    }
    if (name == "settled") {
        return FlushPolicy::settled;
    }
    throw InputError("unknown flush policy '" + std::string(name) + "': use paper or settled");
}

Attempt run_attempt(const RunContext& context, const RunSpec& spec, int attempt, const StageSink& stage) {
    return Run(context, spec, attempt, stage).go();
}

bool worth_another_attempt(const Record& record) {
    return !record.valid && record.invalid_reason != reason::cut_not_proven &&
           record.invalid_reason != reason::continuity_broken && record.invalid_reason != reason::cancelled;
}

}  // namespace pasb
