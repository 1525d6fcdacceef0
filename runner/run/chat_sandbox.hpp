// One chat's container with its two sockets: booted, talked to, captured, destroyed. Knows nothing of what the chat
// means.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "agent/agent_control.hpp"
#include "gateway/gateway.hpp"
#include "model/record.hpp"
#include "run/run_context.hpp"
#include "sandbox/limits_probe.hpp"

namespace pasb {

// Ends an attempt with a reason of record.hpp. Thrown within a run and caught once, by run_attempt.
class RunFailed : public std::runtime_error {
  public:
    RunFailed(std::string_view reason, const std::string& detail) : std::runtime_error(detail), reason_(reason) {}
    [[nodiscard]] std::string_view reason() const { return reason_; }

  private:
    std::string_view reason_;
};

struct Capture {
    Snapshot home;
    std::vector<EngineChange> outside;  // the engine's list, home included
    bool canary_found = false;          // the canary stands somewhere in the home's archive
    bool truncated = false;
    std::string what;  // what is missing, when truncated
};

struct SandboxUsage {
    double boot_s = -1;      // wall seconds from create to ready
    double boot_cpu_s = -1;  // CPU seconds of the container until ready
    double cpu_s = -1;       // until it was killed
    std::int64_t peak_memory = -1;
    double engine_s = 0;  // wall seconds spent in engine calls
};

class ChatSandbox {
  public:
    struct Identity {
        std::string run_id;
        int attempt = 1;
        Chat chat = Chat::first;
        std::string canary;  // looked for in captures
    };

    ChatSandbox(const RunContext& context, Identity identity, Gateway::Clock::time_point run_start,
                std::shared_ptr<RequestBudget> budget);
    ~ChatSandbox();  // destroys the container, whatever happened
    ChatSandbox(const ChatSandbox&) = delete;
    ChatSandbox& operator=(const ChatSandbox&) = delete;

    void boot(const Deadline& deadline);  // throws RunFailed, EngineError
    // Throws RunFailed when the turn brought no real answer.
    TurnRecord take_turn(int turn, const std::string& text, const Deadline& deadline);
    void write_tar(const std::string& tar, const Deadline& deadline);
    void delete_files(const std::vector<std::string>& paths, const Deadline& deadline);
    LimitsInForce probe_limits(const Deadline& deadline);
    // Paths below home of files changed within the last `seconds`.
    std::vector<std::string> recently_changed(int seconds, const Deadline& deadline);

    // Kills the agent at once and reads what it left: no shutdown hook can add to it.
    Capture kill_and_capture(const Deadline& deadline);
    void destroy();

    [[nodiscard]] Gateway& gateway() { return *gateway_; }
    [[nodiscard]] const SandboxUsage& usage() const { return usage_; }
    [[nodiscard]] std::string last_log_lines();

  private:
    template <typename Call>
    auto timed(Call&& call);
    [[nodiscard]] ContainerSpec spec() const;
    [[nodiscard]] bool running(const Deadline& deadline);
    void note_usage();

    const RunContext& context_;
    Identity identity_;
    std::string name_;
    std::string exchange_;  // host side of the bind-mounted folder
    std::unique_ptr<Gateway> gateway_;
    AgentControl control_;
    bool asked_for_ = false;  // the engine was asked for the container and may have made it
    std::string container_;
    std::int64_t pid_ = 0;
    SandboxUsage usage_;
};

}  // namespace pasb
