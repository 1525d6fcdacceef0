#include "run/chat_sandbox.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "model/errors.hpp"
#include "sandbox/layer.hpp"
#include "sandbox/leftovers.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto engine_call_limit = 180s;
constexpr auto cleanup_limit = 120s;
constexpr const char* inside_folder = "/run/pasb";

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string chat_suffix(Chat chat) {
    return chat == Chat::first ? "c1" : "c2";
}

// Looks for a text in a stream of pieces, across their borders.
class StreamSearch {
  public:
    explicit StreamSearch(std::string wanted) : wanted_(std::move(wanted)) {}
    void feed(std::string_view piece) {
        if (wanted_.empty() || found_) {
            return;
        }
        tail_ += piece;
        found_ = tail_.find(wanted_) != std::string::npos;
        if (tail_.size() >= wanted_.size()) {
            tail_.erase(0, tail_.size() - (wanted_.size() - 1));
        }
    }
    [[nodiscard]] bool found() const { return found_; }

  private:
    std::string wanted_;
    std::string tail_;
    bool found_ = false;
};

}  // namespace

ChatSandbox::ChatSandbox(const RunContext& context, Identity identity, Gateway::Clock::time_point run_start,
                         std::shared_ptr<RequestBudget> budget)
    : context_(context),
      identity_(std::move(identity)),
      name_("pasb-" + identity_.run_id + "-a" + std::to_string(identity_.attempt) + "-" + chat_suffix(identity_.chat) +
            "-" + context.runtime.owner().substr(0, context.runtime.owner().find('-'))),
      exchange_(context.runtime.make_exchange(
          identity_.run_id.substr(identity_.run_id.size() > 8 ? identity_.run_id.size() - 8 : 0) + "-" +
          std::to_string(identity_.attempt) + chat_suffix(identity_.chat))),
      control_(context.adapter, exchange_ + "/agent.sock", identity_.run_id,
               identity_.chat == Chat::first ? context.adapter.first_session : context.adapter.follow_up_session) {
    Gateway::Settings settings;
    settings.run_start = run_start;
    settings.budget = std::move(budget);
    gateway_ = std::make_unique<Gateway>(exchange_ + "/model.sock", identity_.chat, context.model.upstream, settings);
}

ChatSandbox::~ChatSandbox() {
    destroy();
}

template <typename Call>
auto ChatSandbox::timed(Call&& call) {
    const auto start = Clock::now();
    struct Add {
        ~Add() { total += seconds_since(begin); }
        double& total;
        Clock::time_point begin;
    } const add{usage_.engine_s, start};
    return call();
}

ContainerSpec ChatSandbox::spec() const {
    const Adapter& adapter = context_.adapter;
    ContainerSpec spec;
    spec.name = name_;
    spec.image = context_.image_id;
    spec.command = adapter.start;
    spec.env = adapter.env;
    spec.user = std::to_string(agent_uid) + ":" + std::to_string(agent_uid);
    spec.folder = adapter.home;
    spec.bind_host = exchange_;
    spec.bind_inside = inside_folder;
    spec.labels = {{owner_label, context_.runtime.owner()}, {run_label, identity_.run_id}};
    spec.limits = context_.limits;
    return spec;
}

void ChatSandbox::boot(const Deadline& deadline) {
    const auto start = Clock::now();
    // Creation and start cannot be cancelled: an engine goes on with what it was asked, also when nobody waits any
    // more.
    asked_for_ = true;
    container_ = timed([&] { return context_.engine.create(spec(), Deadline::after(engine_call_limit)); });
    timed([&] { context_.engine.start(container_, Deadline::after(engine_call_limit)); });
    pid_ = timed([&] { return context_.engine.inspect(container_, deadline.within(engine_call_limit)).pid; });
    const std::string failure = control_.wait_ready([&] { return running(deadline); }, deadline);
    if (!failure.empty()) {
        throw RunFailed(deadline.cancelled() ? reason::cancelled : reason::agent_not_ready,
                        failure + "\n" + last_log_lines());
    }
    // Both sockets exist now: from here on nothing can be created in the shared folder, so the agent cannot fill the
    // host's disk.
    RuntimeFolder::seal(exchange_);
    usage_.boot_s = seconds_since(start);
    usage_.boot_cpu_s = read_cgroup_usage(pid_).cpu_s;
}

bool ChatSandbox::running(const Deadline& deadline) {
    return timed([&] { return context_.engine.inspect(container_, deadline.within(engine_call_limit)).running; });
}

TurnRecord ChatSandbox::take_turn(int turn, const std::string& text, const Deadline& deadline) {
    TurnRecord record{turn, text, {}, 0, 0};
    const auto start = Clock::now();
    gateway_->begin_turn(turn);
    TurnResult result = control_.take_turn(text, deadline);
    gateway_->end_turn();
    record.seconds = seconds_since(start);
    if (deadline.cancelled()) {
        throw RunFailed(reason::cancelled, "stopped during turn " + std::to_string(turn));
    }
    if (!result.ok) {
        throw RunFailed(result.empty ? reason::empty_answer : reason::turn_failed,
                        "turn " + std::to_string(turn) + ": " + result.failure);
    }
    record.agent = std::move(result.reply);
    return record;
}

void ChatSandbox::write_tar(const std::string& tar, const Deadline& deadline) {
    timed([&] {
        context_.engine.write_tar_into(container_, context_.adapter.home, tar, deadline.within(engine_call_limit));
    });
}

void ChatSandbox::delete_files(const std::vector<std::string>& paths, const Deadline& deadline) {
    std::vector<std::string> argv{"/bin/rm", "-rf", "--"};
    for (const std::string& path : paths) {
        argv.push_back(context_.adapter.home + "/" + path);
    }
    const ExecResult result =
        timed([&] { return context_.engine.exec(container_, argv, deadline.within(engine_call_limit)); });
    if (result.exit_code != 0) {
        throw RunFailed(reason::engine_failed, "deleting notes in container 2: " + result.errors.substr(0, 300));
    }
}

LimitsInForce ChatSandbox::probe_limits(const Deadline& deadline) {
    const ExecResult result = timed(
        [&] { return context_.engine.exec(container_, limits_probe_command(), deadline.within(engine_call_limit)); });
    return judge_limits(context_.limits, result.output);
}

std::vector<std::string> ChatSandbox::recently_changed(int seconds, const Deadline& deadline) {
    const std::vector<std::string> argv{"/usr/bin/find", context_.adapter.home,
                                        "-type",         "f",
                                        "-newermt",      "-" + std::to_string(seconds) + " seconds",
                                        "-printf",       "%P\\0"};
    const ExecResult result =
        timed([&] { return context_.engine.exec(container_, argv, deadline.within(engine_call_limit)); });
    std::vector<std::string> paths;
    for (std::size_t at = 0; at < result.output.size();) {
        const auto end = std::min(result.output.find('\0', at), result.output.size());
        paths.push_back(result.output.substr(at, end - at));
        at = end + 1;
    }
    return paths;
}

void ChatSandbox::note_usage() {
    const CgroupUsage usage = read_cgroup_usage(pid_);
    usage_.cpu_s = usage.cpu_s;
    usage_.peak_memory = usage.peak_memory;
}

Capture ChatSandbox::kill_and_capture(const Deadline& deadline) {
    note_usage();
    timed([&] { context_.engine.kill(container_, deadline.within(engine_call_limit)); });
    gateway_->stop();
    StreamSearch search(identity_.canary);
    Capture capture;
    const auto keep = [&](const FileEntry& entry) {
        // What still is as the image has it need not be kept a second time.
        const auto before = context_.baseline.manifest.find(entry.path);
        return before == context_.baseline.manifest.end() || before->second.sha256 != entry.sha256;
    };
    ArchiveContent content = timed([&] {
        return context_.engine.read_folder(
            container_, context_.adapter.home, ArchiveLimits{}, deadline.within(engine_call_limit),
            [&search](std::string_view piece) { search.feed(piece); }, keep);
    });
    capture.home = std::move(content.files);
    capture.truncated = content.truncated;
    capture.what = content.what;
    capture.canary_found = search.found();
    capture.outside = timed([&] { return context_.engine.changes(container_, deadline.within(engine_call_limit)); });
    return capture;
}

std::string ChatSandbox::last_log_lines() {
    if (container_.empty()) {
        return {};
    }
    try {
        const std::string log = timed([&] { return context_.engine.logs(container_, Deadline::after(20s)); });
        return log.substr(log.size() > 2000 ? log.size() - 2000 : 0);
    } catch (const EngineError& error) {
        return std::string("(no log: ") + error.what() + ")";
    }
}

// Clean-up has its own deadline and cannot be cancelled.
void ChatSandbox::destroy() {
    if (asked_for_) {
        asked_for_ = false;
        try {
            // By name where the answer to create was lost, since the engine may have made it all the same.
            timed([&] {
                context_.engine.remove(container_.empty() ? name_ : container_, Deadline::after(cleanup_limit));
            });
        } catch (const EngineError&) {
            // It stays labelled with its owner: the next start of any runner removes it.
        }
        container_.clear();
    }
    if (gateway_) {
        gateway_->stop();
    }
    RuntimeFolder::remove(exchange_);
}

}  // namespace pasb
