// One suite for every engine: what the product relies on has to hold on Podman and Docker alike. Where the two differ,
// the quirk table says so and the test asks for exactly that difference.
#include "sandbox/engine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <thread>

#include "agent/adapter_file.hpp"
#include "integration/engines.hpp"
#include "integration/temporary_folder.hpp"
#include "net/http_server.hpp"
#include "sandbox/baseline.hpp"
#include "sandbox/layer.hpp"
#include "sandbox/limits_probe.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using testing::Box;
using testing::Engines;
using testing::soon;
using testing::TemporaryFolder;

const std::string unknown_id(64, 'f');

std::optional<EngineError::Kind> kind_of(const std::function<void()>& call) {
    try {
        call();
        return std::nullopt;
    } catch (const EngineError& error) {
        return error.kind();
    }
}

class EngineTest : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        Engines::Offer& offer = Engines::all().offer(GetParam());
        if (!offer.found.engine) {
            GTEST_SKIP() << GetParam() << ": " << offer.why_not;
        }
        engine_ = offer.found.engine.get();
        image_ = offer.image;
        exchange_ = Engines::all().runtime().make_exchange("engine-test");
    }
    void TearDown() override {
        if (engine_ != nullptr) {
            RuntimeFolder::remove(exchange_);
        }
    }

    [[nodiscard]] ContainerSpec spec(const std::string& name) const {
        ContainerSpec spec;
        spec.name = name_of(name);
        spec.image = image_.id;
        spec.command = {"/bin/sleep", "600"};
        spec.user = "10001:10001";
        spec.folder = agent_home;
        spec.bind_host = exchange_;
        spec.bind_inside = "/run/pasb";
        spec.labels = {{owner_label, Engines::all().runtime().owner()}};
        return spec;
    }
    [[nodiscard]] static std::string name_of(const std::string& name) {
        return "pasb-test-" + Engines::all().runtime().owner() + "-" + name;
    }
    [[nodiscard]] ContainerState state(const Box& box) const { return engine_->inspect(box.id(), soon()); }

    // Waits for a container whose main process ends by itself.
    void wait_exited(const Box& box) const {
        for (int i = 0; i < 200 && state(box).running; ++i) {
            std::this_thread::sleep_for(50ms);
        }
    }

    const Engine* engine_ = nullptr;
    BuiltImage image_;
    std::string exchange_;
};

INSTANTIATE_TEST_SUITE_P(On, EngineTest, ::testing::Values("podman", "docker"),
                         [](const auto& each) { return each.param; });

TEST_P(EngineTest, SaysWhatItIs) {
    EXPECT_EQ(engine_->quirks().name, GetParam());
    EXPECT_NE(engine_->version().version, "");
    const EngineInfo info = engine_->info(soon());
    EXPECT_TRUE(info.seccomp);
    EXPECT_TRUE(info.cgroup_version == "1" || info.cgroup_version == "2") << info.cgroup_version;
    EXPECT_GT(info.cpus, 0);
}

TEST_P(EngineTest, TakesAContainerThroughItsLife) {
    ContainerSpec wanted = spec("life");
    wanted.labels["pasb.test"] = "a b";
    const Box box(*engine_, wanted, false);
    EXPECT_EQ(box.id().size(), 64U);
    EXPECT_EQ(state(box).status, "created");
    EXPECT_FALSE(state(box).running);

    engine_->start(box.id(), soon());
    const ContainerState running = state(box);
    EXPECT_EQ(running.id, box.id());
    EXPECT_EQ(running.name, wanted.name);
    EXPECT_EQ(running.image_id, image_.id);
    EXPECT_EQ(running.status, "running");
    EXPECT_TRUE(running.running);
    EXPECT_GT(running.pid, 0);
    EXPECT_EQ(running.labels.at("pasb.test"), "a b");
    engine_->start(box.id(), soon());  // a second time is no error

    engine_->kill(box.id(), soon());
    const ContainerState killed = state(box);
    EXPECT_FALSE(killed.running);
    EXPECT_EQ(killed.exit_code, 137);
    engine_->kill(box.id(), soon());  // neither is this

    engine_->remove(box.id(), soon());
    EXPECT_EQ(kind_of([&] { (void)state(box); }), EngineError::Kind::not_found);
    engine_->remove(box.id(), soon());
}

TEST_P(EngineTest, RemovesARunningContainerByName) {
    const Box box(*engine_, spec("forced"));
    engine_->remove(name_of("forced"), soon());
    EXPECT_EQ(kind_of([&] { (void)state(box); }), EngineError::Kind::not_found);
}

TEST_P(EngineTest, KeepsTheExitCodeOfTheMainProcess) {
    ContainerSpec wanted = spec("exit");
    wanted.command = {"/bin/sh", "-c", "exit 7"};
    const Box box(*engine_, wanted);
    wait_exited(box);
    EXPECT_EQ(state(box).exit_code, 7);
    EXPECT_FALSE(state(box).running);
}

TEST_P(EngineTest, ExecReturnsExitCodeAndTheStreamsApart) {
    const Box box(*engine_, spec("exec"));
    const ExecResult result = box.sh("echo out; echo err >&2; exit 5");
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.errors, "err\n");
    EXPECT_EQ(box.sh("true").exit_code, 0);
    EXPECT_EQ(box.sh("kill -KILL $$").exit_code, 137);
    EXPECT_EQ(box.sh("id -u; id -g; pwd").output, "10001\n10001\n/home/agent\n");
}

TEST_P(EngineTest, ExecGivesNoInput) {
    const Box box(*engine_, spec("input"));
    const ExecResult result = box.sh("cat; echo end");
    EXPECT_EQ(result.output, "end\n");
    EXPECT_EQ(result.exit_code, 0);
}

TEST_P(EngineTest, ExecCarriesAnyBytesAndMuchOfThem) {
    const Box box(*engine_, spec("bytes"));
    const ExecResult result = box.python("import sys\nsys.stdout.buffer.write(bytes(range(256)) * 8192)");
    ASSERT_EQ(result.output.size(), 256U * 8192U);
    for (std::size_t i = 0; i < result.output.size(); ++i) {
        if (static_cast<unsigned char>(result.output[i]) != i % 256) {
            FAIL() << "at byte " << i;
        }
    }
}

TEST_P(EngineTest, ExecOfAMissingProgramIsAnExitCodeOrARefusalNeverASuccess) {
    const Box box(*engine_, spec("missing"));
    int exit_code = -1;
    const auto kind = kind_of([&] { exit_code = engine_->exec(box.id(), {"/no/such/program"}, soon()).exit_code; });
    EXPECT_TRUE(kind || exit_code == 126 || exit_code == 127) << exit_code;
    EXPECT_TRUE(state(box).running);
}

TEST_P(EngineTest, ExecEndsAtItsDeadlineAndTheContainerGoesOn) {
    const Box box(*engine_, spec("slow"));
    const auto begin = Clock::now();
    EXPECT_EQ(kind_of([&] {
                  (void)engine_->exec(box.id(), {"/bin/sleep", "60"}, Deadline::after(3s));
              }),
              EngineError::Kind::timeout);
    EXPECT_LT(Clock::now() - begin, 8s);
    EXPECT_TRUE(state(box).running);
    EXPECT_EQ(box.sh("echo on").output, "on\n");
}

TEST_P(EngineTest, LogsHoldBothStreamsOfTheMainProcess) {
    ContainerSpec wanted = spec("logs");
    wanted.command = {"/bin/sh", "-c",
                      "i=0; while [ $i -lt 100 ]; do echo line-$i; i=$((i+1)); done; sleep 0.5; echo to-err >&2; sleep "
                      "0.5; echo last"};
    const Box box(*engine_, wanted);
    wait_exited(box);
    const std::string text = engine_->logs(box.id(), soon());
    EXPECT_NE(text.find("last\n"), std::string::npos) << text;
    EXPECT_NE(text.find("to-err\n"), std::string::npos) << text;
    EXPECT_NE(text.find("line-99\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("line-0\n"), std::string::npos) << "the last lines only";
}

TEST_P(EngineTest, ListsByLabelRunningOrNot) {
    ContainerSpec wanted = spec("list-created");
    wanted.labels["pasb.test-list"] = Engines::all().runtime().owner();
    const Box created(*engine_, wanted, false);
    wanted.name = name_of("list-running");
    const Box running(*engine_, wanted);
    const Box other(*engine_, spec("list-other"), false);
    const auto found = engine_->list("pasb.test-list=" + Engines::all().runtime().owner(), soon());
    ASSERT_EQ(found.size(), 2U);
    for (const ContainerSummary& container : found) {
        const bool runs = container.id == running.id();
        EXPECT_TRUE(runs || container.id == created.id());
        EXPECT_EQ(container.state, runs ? "running" : "created");
        EXPECT_EQ(container.names, std::vector<std::string>{name_of(runs ? "list-running" : "list-created")});
        EXPECT_EQ(container.labels.at(owner_label), Engines::all().runtime().owner());
    }
    EXPECT_EQ(engine_->list("pasb.test-list=nobody", soon()).size(), 0U);
    EXPECT_EQ(engine_->list("pasb.test-list", soon()).size(), 2U);
}

TEST_P(EngineTest, UnknownThingsAreNotFound) {
    using Kind = EngineError::Kind;
    EXPECT_EQ(kind_of([&] { (void)engine_->inspect(unknown_id, soon()); }), Kind::not_found);
    EXPECT_EQ(kind_of([&] { engine_->start(unknown_id, soon()); }), Kind::not_found);
    EXPECT_EQ(kind_of([&] { engine_->kill(unknown_id, soon()); }), Kind::not_found);
    EXPECT_EQ(kind_of([&] { (void)engine_->logs(unknown_id, soon()); }), Kind::not_found);
    EXPECT_EQ(kind_of([&] { (void)engine_->exec(unknown_id, {"true"}, soon()); }), Kind::not_found);
    EXPECT_EQ(kind_of([&] { (void)engine_->changes(unknown_id, soon()); }), Kind::not_found);
    EXPECT_EQ(kind_of([&] { (void)engine_->read_folder(unknown_id, "/", {}, soon()); }), Kind::not_found);
    EXPECT_EQ(kind_of([&] { engine_->write_tar_into(unknown_id, "/", write_tar({}), soon()); }), Kind::not_found);
    EXPECT_EQ(kind_of([&] { engine_->remove(unknown_id, soon()); }), std::nullopt);
    EXPECT_EQ(engine_->image("localhost/pasb/none:none", soon()), std::nullopt);
    EXPECT_EQ(kind_of([&] { engine_->remove_image("localhost/pasb/none:none", soon()); }), Kind::not_found);
    ContainerSpec wanted = spec("no-image");
    wanted.image = "localhost/pasb/none:none";
    EXPECT_EQ(kind_of([&] { (void)engine_->create(wanted, soon()); }), Kind::not_found);
    const Box box(*engine_, spec("no-folder"));
    EXPECT_EQ(kind_of([&] { (void)engine_->read_folder(box.id(), "/no/such/folder", {}, soon()); }), Kind::not_found);
}

TEST_P(EngineTest, WhatDoesNotFitTheStateIsAConflict) {
    const Box box(*engine_, spec("conflict"), false);
    EXPECT_EQ(kind_of([&] { (void)box.sh("true"); }), EngineError::Kind::conflict)
        << "exec in a container that does not run";
    EXPECT_EQ(kind_of([&] { (void)engine_->create(spec("conflict"), soon()); }), EngineError::Kind::conflict)
        << "a name twice";
}

TEST_P(EngineTest, ABadRequestIsRefused) {
    ContainerSpec wanted = spec("bad");
    wanted.name = "no such / name";
    EXPECT_EQ(kind_of([&] { (void)engine_->create(wanted, soon()); }), EngineError::Kind::refused);
}

TEST_P(EngineTest, ADeadlineAndAMissingEngineAreTyped) {
    EXPECT_EQ(kind_of([&] { (void)engine_->list("x", Deadline::after(0ms)); }), EngineError::Kind::timeout);
    Endpoint nobody;
    nobody.unix_path = exchange_ + "/nobody.sock";
    EXPECT_EQ(kind_of([&] { const Engine none(nobody, soon()); }), EngineError::Kind::unreachable);
}

// A home as an agent might leave it, with every kind of thing that it can make.
constexpr const char* odd_home = R"(
import os, socket
os.chdir("/home/agent")
def put(name, data=b"x", mode=0o644):
    with open(name, "wb") as file:
        file.write(data)
    os.chmod(name, mode)
os.mkdir("odd")
os.chdir("odd")
put(b"plain.md", b"hello\n")
put(b"new\nline")
put(b"caf\xe9.md", b"latin")
put("caf\u00e9.md".encode(), b"utf-8")
put(b"\x1b[31mred")
put(b"-rf *'\"\\ $x")
put(b"l" * 255)
put(b"secret", b"s", 0)
put(b"run", b"#!", 0o755)
put(b"empty", b"")
put(b"zeros", bytes(3000000))
os.mkdir("empty folder")
os.makedirs("/".join(["deep"] * 60))
os.symlink("plain.md", "link")
os.symlink("/etc/shadow", "absolute")
os.symlink("nowhere", "dangling")
os.symlink(".", "loop")
os.link("plain.md", "hard")
os.mkfifo("fifo")
socket.socket(socket.AF_UNIX).bind("socket")
)";

TEST_P(EngineTest, ReadsAFolderByteForByte) {
    const Box box(*engine_, spec("odd"));
    const ExecResult made = box.python(odd_home);
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    const auto read = [&] { return engine_->read_folder(box.id(), "/home/agent/odd", {}, soon()); };
    const ArchiveContent content = read();
    EXPECT_FALSE(content.truncated) << content.what;
    const Snapshot& files = content.files;
    EXPECT_EQ(files.at("plain.md").content, "hello\n");
    EXPECT_EQ(files.at("plain.md").mode, 0644U);
    EXPECT_EQ(files.at("plain.md").sha256, sha256_hex("hello\n"));
    EXPECT_EQ(files.at("caf\xe9.md").content, "latin");
    EXPECT_EQ(files.at("caf\u00e9.md").content, "utf-8");
    for (const std::string& name :
         {std::string("new\nline"), std::string("\x1b[31mred"), std::string("-rf *'\"\\ $x"), std::string(255, 'l')}) {
        EXPECT_TRUE(files.contains(name)) << name;
    }
    EXPECT_EQ(files.at("secret").mode, 0U);
    EXPECT_EQ(files.at("secret").content, "s");
    EXPECT_EQ(files.at("run").mode, 0755U);
    EXPECT_EQ(files.at("empty").size, 0U);
    EXPECT_EQ(files.at("zeros").size, 3'000'000U);
    EXPECT_FALSE(files.at("zeros").content_kept);
    EXPECT_EQ(files.at("zeros").sha256, sha256_hex(std::string(3'000'000, '\0')));
    EXPECT_EQ(files.at("empty folder").type, FileType::directory);
    EXPECT_EQ(files.at("link").type, FileType::symlink);
    EXPECT_EQ(files.at("link").link_target, "plain.md");
    EXPECT_EQ(files.at("absolute").type, FileType::symlink) << "never followed";
    EXPECT_EQ(files.at("absolute").link_target, "/etc/shadow");
    EXPECT_EQ(files.at("dangling").link_target, "nowhere");
    EXPECT_EQ(files.at("loop").link_target, ".");
    EXPECT_EQ(files.at("hard").content, "hello\n");
    EXPECT_EQ(files.at("fifo").type, FileType::other);
    EXPECT_FALSE(files.contains("socket")) << "no tar holds a socket";
    EXPECT_EQ(files.size(), 18U + 60U + (files.contains("") ? 1U : 0U));
    // A stopped container reads the same.
    engine_->kill(box.id(), soon());
    const Snapshot after = read().files;
    ASSERT_EQ(after.size(), files.size());
    for (const auto& [path, entry] : files) {
        EXPECT_EQ(after.at(path).sha256, entry.sha256) << path;
        EXPECT_EQ(after.at(path).mode, entry.mode) << path;
    }
}

TEST_P(EngineTest, AHugeSparseFileEndsTheReadingAtItsLimit) {
    const Box box(*engine_, spec("sparse"));
    ASSERT_EQ(box.sh("mkdir s; echo 1 > s/a; truncate -s 1000000000 s/hole; echo 2 > s/z").exit_code, 0);
    ArchiveLimits limits;
    limits.read_bytes = 20'000'000;
    const auto begin = Clock::now();
    const ArchiveContent content = engine_->read_folder(box.id(), "/home/agent/s", limits, soon());
    EXPECT_LT(Clock::now() - begin, 60s);
    EXPECT_TRUE(content.truncated);
    EXPECT_NE(content.what.find("hole"), std::string::npos) << content.what;
    EXPECT_EQ(state(box).running, true);
    EXPECT_NE(box.sh("truncate -s 1100000000 s/hole").exit_code, 0) << "one file is limited to 1 GiB";
}

TEST_P(EngineTest, WritesATarWithOwnersAndModes) {
    const Box box(*engine_, spec("tar"));
    std::vector<TarEntry> entries(5);
    entries[0] = {"notes/deep", FileType::directory, 0700, 10001, 10001, 1'700'000'000, {}, {}};
    entries[1] = {"notes/deep/SKILL.md", FileType::regular, 0640, 10001, 10001, 1'700'000'000, {}, "skill\n"};
    entries[2] = {"notes/caf\xe9.md", FileType::regular, 0755, 10001, 10001, 1'700'000'000, {}, "latin\n"};
    entries[3] = {"notes/USER.md", FileType::regular, 0600, 10001, 10001, 1'700'000'000, {}, "replaced\n"};
    entries[4] = {"notes/link", FileType::symlink, 0777, 10001, 10001, 1'700'000'000, "USER.md", {}};
    engine_->write_tar_into(box.id(), agent_home, write_tar(entries), soon());
    EXPECT_EQ(box.sh("cd notes; stat -c '%n %u:%g %a %Y' deep/SKILL.md USER.md; stat -c '%u:%g %a' deep; cat USER.md; "
                     "readlink link; "
                     "cat caf*.md; stat -c %a caf*.md; echo more >> USER.md && echo writable")
                  .output,
              "deep/SKILL.md 10001:10001 640 1700000000\nUSER.md 10001:10001 600 1700000000\n10001:10001 "
              "700\nreplaced\nUSER.md\n"
              "latin\n755\nwritable\n");
    const Snapshot files = engine_->read_folder(box.id(), "/home/agent/notes", {}, soon()).files;
    EXPECT_EQ(files.at("caf\xe9.md").content, "latin\n");
    EXPECT_EQ(files.at("deep/SKILL.md").mode, 0640U);
}

TEST_P(EngineTest, WhatIsPutInBeforeTheStartIsThereAfterIt) {
    const Box box(*engine_, spec("before"), false);
    engine_->write_tar_into(box.id(), agent_home,
                            write_tar({{"early", FileType::regular, 0644, 10001, 10001, 0, {}, "text"}}), soon());
    engine_->start(box.id(), soon());
    EXPECT_EQ(box.sh("cat early").output, "text");
}

std::optional<ChangeType> change_of(const std::vector<EngineChange>& changes, const std::string& path) {
    const auto found =
        std::find_if(changes.begin(), changes.end(), [&](const EngineChange& change) { return change.path == path; });
    return found == changes.end() ? std::nullopt : std::optional(found->change);
}

TEST_P(EngineTest, TellsWhatChanged) {
    const Box box(*engine_, spec("changes"));
    ASSERT_EQ(box.sh("echo x > added; mkdir folder; echo y > folder/inside; echo longer >> notes/USER.md; echo t > "
                     "/tmp/temp; "
                     "echo b > /run/pasb/bound")
                  .exit_code,
              0);
    std::vector<EngineChange> changes = engine_->changes(box.id(), soon());
    EXPECT_EQ(change_of(changes, "/home/agent/added"), ChangeType::added);
    EXPECT_EQ(change_of(changes, "/home/agent/folder/inside"), ChangeType::added);
    EXPECT_EQ(change_of(changes, "/home/agent/notes/USER.md"), ChangeType::modified);
    EXPECT_EQ(change_of(changes, "/tmp/temp"), std::nullopt) << "tmpfs is in no layer";
    EXPECT_EQ(change_of(changes, "/run/pasb/bound"), std::nullopt) << "neither is a bind mount";
    EXPECT_TRUE(std::filesystem::exists(exchange_ + "/bound"));
    ASSERT_EQ(box.sh("rm added notes/USER.md").exit_code, 0);
    changes = engine_->changes(box.id(), soon());
    EXPECT_EQ(change_of(changes, "/home/agent/added"), std::nullopt);
    EXPECT_EQ(change_of(changes, "/home/agent/notes/USER.md"), ChangeType::deleted);
}

TEST_P(EngineTest, ItsListOfChangesErrsAsTheQuirksSayAndTheDigestsDoNot) {
    const Box opened(*engine_, spec("opened"));
    ASSERT_EQ(opened.python("open('/home/agent/notes/USER.md', 'r+').close()").exit_code, 0);
    EXPECT_EQ(change_of(engine_->changes(opened.id(), soon()), "/home/agent/notes/USER.md").has_value(),
              engine_->quirks().changes_overreports);

    const Box edited(*engine_, spec("edited"));
    const ExecResult edit = edited.python(R"(
import os
path = "/home/agent/notes/USER.md"
before = os.stat(path)
with open(path, "r+") as file:
    file.write("X")
os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
)");
    ASSERT_EQ(edit.exit_code, 0) << edit.errors;
    EXPECT_EQ(change_of(engine_->changes(edited.id(), soon()), "/home/agent/notes/USER.md").has_value(),
              !engine_->quirks().changes_underreports);

    const auto digest = [&](const Box& box) {
        return engine_->read_folder(box.id(), "/home/agent/notes", {}, soon()).files.at("USER.md").sha256;
    };
    EXPECT_NE(digest(opened), digest(edited));
}

// No engine sizes a home here; Podman's seccomp profile allows user namespaces and Docker's does not.
const std::set<std::string> not_on_every_engine{"home_bytes", "user_namespaces"};

TEST_P(EngineTest, LimitsAreInForceInside) {
    const ContainerSpec wanted = spec("limits");
    const Box box(*engine_, wanted);
    const ExecResult probe = engine_->exec(box.id(), limits_probe_command(), soon());
    ASSERT_EQ(probe.exit_code, 0) << probe.errors;
    const LimitsInForce found = judge_limits(wanted.limits, probe.output);
    const bool enforceable = !engine_->info(soon()).rootless;
    for (const auto& [name, limit] : found.limits.items()) {
        const bool in_force = limit.at("ok").get<bool>();
        if (enforceable && !not_on_every_engine.contains(name)) {
            EXPECT_TRUE(in_force) << name << ": " << limit.dump();
        }
        const bool named =
            std::any_of(found.warnings.begin(), found.warnings.end(), [&name = name](const std::string& warning) {
                return warning.find(": " + name + ": ") != std::string::npos;
            });
        EXPECT_NE(in_force, named) << name << ": never silence, never a false alarm";
    }
}

TEST_P(EngineTest, SmallerLimitsAreInForceToo) {
    ContainerSpec wanted = spec("small");
    wanted.limits = {64, 200 << 20, 0.5, 8 << 20, 1 << 20, 64, 100};
    const Box box(*engine_, wanted);
    const LimitsInForce found =
        judge_limits(wanted.limits, engine_->exec(box.id(), limits_probe_command(), soon()).output);
    for (const std::string& warning : found.warnings) {
        EXPECT_TRUE(engine_->info(soon()).rootless || warning.starts_with("limit-not-available: ")) << warning;
    }
    EXPECT_NE(box.sh("head -c 2000000 /dev/zero > big").exit_code, 0);
    EXPECT_NE(box.sh("i=0; while [ $i -lt 12 ]; do head -c 1000000 /dev/zero > /tmp/$i || exit 1; i=$((i+1)); done")
                  .exit_code,
              0);
}

TEST_P(EngineTest, HasNoWayOut) {
    const Box box(*engine_, spec("network"));
    EXPECT_EQ(box.sh("ls /sys/class/net").output, "lo\n");
    EXPECT_EQ(box.sh("tail -n +2 /proc/net/route").output, "");
    const ExecResult tried = box.python(R"(
import socket
for family, address in [(socket.AF_INET, "198.51.100.1"), (socket.AF_INET, "169.254.169.254"), (socket.AF_INET, "10.88.0.1"),
                        (socket.AF_INET6, "2001:db8::1"), (socket.AF_INET6, "fe80::1")]:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as s:
            s.settimeout(3)
            s.connect((address, 80))
        print("reached", address)
    except TimeoutError:
        print("sent something to", address)
    except OSError:
        pass
try:
    print("resolved", socket.getaddrinfo("localhost.example.com", 80))
except OSError:
    pass
try:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    print("raw socket")
except OSError:
    pass
print("done")
)");
    EXPECT_EQ(tried.output, "done\n") << tried.errors;
}

TEST_P(EngineTest, ASocketInTheBoundFolderIsTheOnlyWay) {
    const auto server = HttpServer::on_unix(exchange_ + "/model.sock", 0666,
                                            [](const HttpRequest& request, ResponseWriter& writer) {
                                                writer.send({200, {}, request.target});
                                            },
                                            {});
    const Box box(*engine_, spec("socket"));
    EXPECT_EQ(box.python(R"(
import http.client, socket
connection = http.client.HTTPConnection("localhost")
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.connect("/run/pasb/model.sock")
connection.request("GET", "/hello")
print(connection.getresponse().read().decode())
)")
                  .output,
              "/hello\n");
}

TEST_P(EngineTest, TheAgentMayWriteItsHomeAndNothingOfTheImage) {
    const Box box(*engine_, spec("rights"));
    EXPECT_EQ(
        box.sh("for f in /etc/x /usr/bin/x /opt/pasb/x /home/x /run/x /x; do touch $f 2>/dev/null && echo $f; done; "
               "echo x 2>/dev/null >> /opt/pasb/enter && echo enter; mount -t tmpfs none /mnt 2>/dev/null && echo "
               "mount; "
               "cat /etc/shadow 2>/dev/null; touch /home/agent/x && echo home")
            .output,
        "home\n");
}

TEST_P(EngineTest, AChildKilledForMemoryLeavesTheContainerAndTheEngineAlone) {
    ContainerSpec wanted = spec("memory");
    wanted.limits.memory_bytes = std::int64_t{128} << 20;
    const Box box(*engine_, wanted);
    if (engine_->info(soon()).rootless) {
        GTEST_SKIP() << "memory may not be limited here";
    }
    const ExecResult hog = box.sh("python3 -c 'x = [bytearray(1 << 24) for _ in range(1000)]'; echo ended $?");
    EXPECT_EQ(hog.output, "ended 137\n") << hog.errors;
    const ContainerState running = state(box);
    EXPECT_TRUE(running.running);
    const CgroupUsage usage = read_cgroup_usage(running.pid);
    EXPECT_GE(usage.oom_kills, 1);
    EXPECT_GT(usage.peak_memory, 64 << 20);
    EXPECT_GT(usage.cpu_s, 0.0);
    EXPECT_EQ(box.sh("echo on").output, "on\n");
}

TEST_P(EngineTest, AForkBombIsContainedAndCanBeRemoved) {
    ContainerSpec wanted = spec("bomb");
    wanted.limits.pids = 48;
    wanted.command = {"/bin/sh", "-c", "f() { f | f & }; f; sleep 600"};
    const Box box(*engine_, wanted);
    std::this_thread::sleep_for(500ms);
    const auto begin = Clock::now();
    engine_->kill(box.id(), soon());
    EXPECT_FALSE(state(box).running);
    EXPECT_LT(Clock::now() - begin, 30s);
}

TEST_P(EngineTest, AnInitReapsWhatTheAgentLeaves) {
    const Box box(*engine_, spec("zombies"));
    ASSERT_EQ(box.sh("for i in 1 2 3 4 5; do (sleep 0.1 &) ; done; sleep 1").exit_code, 0);
    EXPECT_EQ(box.sh("grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | wc -l").output, "0\n");
    EXPECT_NE(box.sh("cat /proc/1/comm").output, "sleep\n");
}

// One layer with one file.
struct TinyImage {
    explicit TinyImage(const TemporaryFolder& folder) {
        const std::string stage = (folder.path() / "stage").string();
        std::filesystem::create_directories(stage + "/home/agent");
        std::ofstream(stage + "/home/agent/note") << "one";
        layers = {pack_layer(stage, (folder.path() / "layer.tar").string(), 1'700'000'000)};
        ImageRecipe recipe;
        recipe.name = "test-tiny";
        recipe.key = "0123456789abcdef" + std::to_string(::getpid());
        recipe.user = "10001:10001";
        recipe.workdir = "/home/agent";
        recipe.labels = {{"pasb.test", "tiny"}};
        tag = "localhost/pasb/test-tiny:" + std::to_string(::getpid());
        config = image_config(recipe, layers, 1'700'000'000);
        archive = (folder.path() / "image.tar").string();
        write_image_archive(archive, tag, config, layers);
    }
    std::vector<Layer> layers;
    ImageConfig config;
    std::string tag;
    std::string archive;
};

TEST_P(EngineTest, AnArchiveOfOursGetsTheIdThatWeGaveIt) {
    const TemporaryFolder folder;
    const TinyImage tiny(folder);
    engine_->load_image(tiny.archive, soon());
    const auto loaded = engine_->image(tiny.tag, soon());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->id, tiny.config.id) << "the id is the digest of the configuration, the same in every engine";
    EXPECT_EQ(loaded->layers, std::vector<std::string>{tiny.layers[0].diff_id});
    EXPECT_EQ(loaded->user, "10001:10001");
    EXPECT_EQ(loaded->labels.at("pasb.test"), "tiny");
    EXPECT_TRUE(loaded->volumes.empty());
    const auto listed = engine_->images("pasb.test=tiny", soon());
    EXPECT_TRUE(
        std::any_of(listed.begin(), listed.end(), [&](const ImageInfo& image) { return image.id == tiny.config.id; }));
    engine_->load_image(tiny.archive, soon());  // again is no error
    ContainerSpec wanted = spec("tiny");
    wanted.image = tiny.config.id;
    {
        // The image holds no program, so this one never starts; its files are there all the same.
        const Box box(*engine_, wanted, false);
        EXPECT_EQ(engine_->read_folder(box.id(), agent_home, {}, soon()).files.at("note").content, "one");
    }
    engine_->remove_image(tiny.tag, soon());
    EXPECT_EQ(engine_->image(tiny.tag, soon()), std::nullopt);
}

TEST_P(EngineTest, ABrokenArchiveIsRefused) {
    const TemporaryFolder folder;
    const TinyImage tiny(folder);
    const std::string cut = (folder.path() / "cut.tar").string();
    std::filesystem::copy_file(tiny.archive, cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
    EXPECT_EQ(kind_of([&] { engine_->load_image(cut, soon()); }), EngineError::Kind::refused);
    folder.write("text.tar", "this is no archive");
    EXPECT_EQ(kind_of([&] { engine_->load_image((folder.path() / "text.tar").string(), soon()); }),
              EngineError::Kind::refused);
    EXPECT_EQ(engine_->image(tiny.tag, soon()), std::nullopt);
}

TEST_P(EngineTest, ALayerThatIsNotTheOneOfTheConfigurationIsRefused) {
    const TemporaryFolder folder;
    TinyImage tiny(folder);
    std::ofstream(folder.path() / "stage/home/agent/note") << "two";
    pack_layer((folder.path() / "stage").string(), tiny.layers[0].file, 1'700'000'000);
    write_image_archive(tiny.archive, tiny.tag, tiny.config, tiny.layers);
    const auto kind = kind_of([&] { engine_->load_image(tiny.archive, soon()); });
    EXPECT_EQ(kind, EngineError::Kind::refused);
    if (!kind) {
        engine_->remove_image(tiny.tag, soon());
    }
}

TEST_P(EngineTest, TheCommittedBaselineHoldsOnIt) {
    const Adapter adapter = load_adapter(PASB_SOURCE_DIR "/tests/agents/adapters/scripted");
    const auto image = engine_->image(image_.tag, soon());
    ASSERT_TRUE(image);
    const ObservedImage observed = observe_image(*engine_, adapter, *image, Engines::all().runtime().owner(), soon());
    const BaselineCheck check = check_baseline(
        read_baseline(PASB_SOURCE_DIR "/tests/agents/baselines/scripted/baseline.json"), observed.baseline);
    EXPECT_EQ(check.differences, std::vector<std::string>{});
    EXPECT_EQ(observed.home.at("notes/USER.md").content.substr(0, 16), "# About the user");
}

TEST_P(EngineTest, LeftoversOfTheDeadAreRemovedAndTheLivingKeepTheirs) {
    const Box living(*engine_, spec("living"));
    ContainerSpec wanted = spec("dead-running");
    wanted.labels[owner_label] = std::to_string(::getpid()) + "-1";  // our process id at another time
    const Box running(*engine_, wanted);
    wanted.name = name_of("dead-created");
    wanted.labels[owner_label] = "not an owner";
    const Box created(*engine_, wanted, false);
    remove_leftovers(*engine_, false, soon());
    EXPECT_TRUE(state(living).running);
    EXPECT_EQ(kind_of([&] { (void)state(running); }), EngineError::Kind::not_found);
    EXPECT_EQ(kind_of([&] { (void)state(created); }), EngineError::Kind::not_found);
}

}  // namespace
}  // namespace pasb
