#include "net/process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <future>
#include <thread>

#include "integration/temporary_folder.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using testing::TemporaryFolder;

ProcessResult shell(const std::string& script) {
    return run_process({{"sh", "-c", script}, {}, {}}, Deadline::after(20s));
}

// A process that has ended and is only waited for by nobody counts as gone.
bool runs(pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    const auto name_end = text.rfind(')');
    return name_end != std::string::npos && text.compare(name_end, 3, ") Z") != 0;
}

bool ends_within(pid_t pid, std::chrono::milliseconds span) {
    const auto until = Clock::now() + span;
    while (runs(pid) && Clock::now() < until) {
        std::this_thread::sleep_for(20ms);
    }
    return !runs(pid);
}

pid_t number_in(const TemporaryFolder& folder, const std::string& name) {
    for (int i = 0; i < 500; ++i) {
        const std::string text = folder.read(name);
        if (text.ends_with('\n')) {
            return std::stoi(text);
        }
        std::this_thread::sleep_for(20ms);
    }
    return -1;
}

TEST(RunProcess, ReturnsExitCodeAndBothStreams) {
    const ProcessResult result = shell("echo out; echo err >&2; exit 3");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.output, "out\nerr\n");
    EXPECT_EQ(shell("true").exit_code, 0);
    EXPECT_EQ(shell("kill -KILL $$").exit_code, 128 + SIGKILL);
}

TEST(RunProcess, KeepsTheEndOfLongOutputAndLogsAllOfIt) {
    const TemporaryFolder folder;
    const std::string log = (folder.path() / "log").string();
    const ProcessResult result = run_process({{"sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x; echo end"}, {}, {}},
                                             Deadline::after(20s), log);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(result.output.ends_with("xend\n"));
    EXPECT_LT(result.output.size(), 1'000'000U);
    EXPECT_EQ(std::filesystem::file_size(log), 3'000'004U);
}

TEST(RunProcess, HasItsFolderEnvironmentAndNoInput) {
    const TemporaryFolder folder;
    const Command command{
        {"sh", "-c", "pwd; echo $PASB_TEST_WORD; cat"}, {{"PASB_TEST_WORD", "a b"}}, folder.path().string()};
    EXPECT_EQ(run_process(command, Deadline::after(20s)).output,
              std::filesystem::canonical(folder.path()).string() + "\na b\n");
}

TEST(RunProcess, AMissingProgramIsNamed) {
    try {
        run_process({{"pasb-no-such-program"}, {}, {}}, Deadline::after(5s));
        FAIL() << "ran";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("pasb-no-such-program"), std::string::npos);
    }
    EXPECT_THROW(run_process({{"/no/such/program"}, {}, {}}, Deadline::after(5s)), InputError);
}

TEST(RunProcess, ADeadlineKillsTheChild) {
    const TemporaryFolder folder;
    const Command command{{"sh", "-c", "echo $$ > pid; exec sleep 60"}, {}, folder.path().string()};
    const auto begin = Clock::now();
    try {
        run_process(command, Deadline::after(500ms));
        FAIL() << "ended by itself";
    } catch (const NetError& error) {
        EXPECT_EQ(error.kind(), NetError::Kind::timeout);
    }
    EXPECT_LT(Clock::now() - begin, 5s);
    EXPECT_TRUE(ends_within(number_in(folder, "pid"), 2s));
}

TEST(RunProcess, ADeadlineAlsoEndsAChildThatHasClosedItsOutput) {
    const TemporaryFolder folder;
    const Command command{{"sh", "-c", "echo $$ > pid; exec sleep 30 > /dev/null 2>&1"}, {}, folder.path().string()};
    const auto begin = Clock::now();
    EXPECT_THROW(run_process(command, Deadline::after(500ms)), NetError);
    EXPECT_LT(Clock::now() - begin, 5s);
    EXPECT_TRUE(ends_within(number_in(folder, "pid"), 2s));
}

TEST(RunProcess, ADeadlineEndsTheChildrenOfTheChildToo) {
    const TemporaryFolder folder;
    const Command command{{"sh", "-c", "sleep 60 & echo $! > pid; wait"}, {}, folder.path().string()};
    EXPECT_THROW(run_process(command, Deadline::after(500ms)), NetError);
    const pid_t grandchild = number_in(folder, "pid");
    EXPECT_TRUE(ends_within(grandchild, 2s));
    ::kill(grandchild, SIGKILL);
}

TEST(RunProcess, AStopSignalEndsIt) {
    std::stop_source stop;
    auto call = std::async(std::launch::async, [&] {
        try {
            run_process({{"sleep", "60"}, {}, {}}, Deadline::after(60s, stop.get_token()));
            return std::optional<NetError::Kind>();
        } catch (const NetError& error) {
            return std::optional(error.kind());
        }
    });
    std::this_thread::sleep_for(200ms);
    const auto begin = Clock::now();
    stop.request_stop();
    EXPECT_EQ(call.get(), NetError::Kind::cancelled);
    EXPECT_LT(Clock::now() - begin, 1s);
}

TEST(RunProcess, NoChildInheritsAKey) {
    ::setenv("PASB_TEST_API_KEY", "secret", 1);
    const ProcessResult result = shell("env");
    ::unsetenv("PASB_TEST_API_KEY");
    EXPECT_EQ(result.output.find("secret"), std::string::npos);
    EXPECT_NE(result.output.find("PATH="), std::string::npos) << "the rest is inherited";
}

TEST(FindProgram, InThePathOrAsAPath) {
    EXPECT_NE(find_program("sh"), "");
    EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
    EXPECT_EQ(find_program("pasb-no-such-program"), "");
    EXPECT_EQ(find_program("/etc/passwd"), "");
}

TEST(BackgroundProcess, RunsAndEndsWithItsObject) {
    const TemporaryFolder folder;
    const std::string log = (folder.path() / "log").string();
    ::setenv("PASB_TEST_API_KEY", "secret", 1);
    auto child =
        BackgroundProcess::start({{"sh", "-c", "env; echo $$ > pid; exec sleep 60"}, {}, folder.path().string()}, log);
    ::unsetenv("PASB_TEST_API_KEY");
    const pid_t pid = number_in(folder, "pid");
    EXPECT_TRUE(child->running());
    EXPECT_EQ(child->pid(), pid);
    EXPECT_NE(::getsid(pid), ::getsid(0)) << "Ctrl-C at the terminal must not reach it";
    EXPECT_EQ(folder.read("log").find("secret"), std::string::npos);
    child.reset();
    EXPECT_FALSE(runs(pid));
}

TEST(BackgroundProcess, IsKilledWhenItWillNotEnd) {
    const TemporaryFolder folder;
    const Command command{
        {"sh", "-c", "trap '' TERM; echo $$ > pid; while :; do sleep 1; done"}, {}, folder.path().string()};
    auto child = BackgroundProcess::start(command, (folder.path() / "log").string());
    const pid_t pid = number_in(folder, "pid");
    const auto begin = Clock::now();
    child.reset();
    EXPECT_FALSE(runs(pid));
    EXPECT_LT(Clock::now() - begin, 5s);
}

TEST(BackgroundProcess, AMissingProgramIsNoRunningProcess) {
    const TemporaryFolder folder;
    EXPECT_THROW(BackgroundProcess::start({{"pasb-no-such-program"}, {}, {}}, (folder.path() / "log").string()),
                 InputError);
}

TEST(BackgroundProcess, EndsWithAnOwnerThatWasKilled) {
    const TemporaryFolder folder;
    const pid_t owner = ::fork();
    if (owner == 0) {
        const auto child =
            BackgroundProcess::start({{"sh", "-c", "echo $$ > pid; exec sleep 60"}, {}, folder.path().string()},
                                     (folder.path() / "log").string());
        ::pause();
        ::_exit(0);
    }
    const pid_t pid = number_in(folder, "pid");
    EXPECT_TRUE(runs(pid));
    ::kill(owner, SIGKILL);
    ::waitpid(owner, nullptr, 0);
    EXPECT_TRUE(ends_within(pid, 3s));
}

}  // namespace
}  // namespace pasb
