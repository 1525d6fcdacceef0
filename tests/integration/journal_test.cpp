#include "run/journal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <thread>
#include <vector>

#include "integration/temporary_folder.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;
using testing::TemporaryFolder;

const json configuration{{"flush", "paper"}, {"seed", 0}};

json record_of(const std::string& run_id, bool valid) {
    return {{"run_id", run_id}, {"valid", valid}, {"text", "t\xC3\xA9xt\n"}};
}

std::string error_of(const std::filesystem::path& folder, const json& with = configuration) {
    try {
        const Journal journal(folder, with);
        return "(no error)";
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Journal, RemembersWhatWasAppended) {
    const TemporaryFolder folder;
    const auto out = folder.path() / "deep" / "out";
    {
        Journal journal(out, configuration);
        EXPECT_EQ(journal.attempts("a"), 0);
        journal.append(record_of("a", false));
        journal.append(record_of("a", true));
        journal.append(record_of("b", false));
        EXPECT_EQ(journal.attempts("a"), 2);
        EXPECT_EQ(journal.finished_valid(), std::set<std::string>{"a"});
    }
    const Journal again(out, configuration);
    EXPECT_EQ(again.attempts("a"), 2);
    EXPECT_EQ(again.attempts("b"), 1);
    EXPECT_EQ(again.finished_valid(), std::set<std::string>{"a"});
    EXPECT_TRUE(again.torn_file().empty());
}

TEST(Journal, WritesOneLineARecordFromManyThreads) {
    const TemporaryFolder folder;
    Journal journal(folder.path(), configuration);
    {
        std::vector<std::jthread> writers;
        for (int writer = 0; writer < 4; ++writer) {
            writers.emplace_back([&journal, writer] {
                for (int number = 0; number < 25; ++number) {
                    journal.append(record_of(std::to_string(writer), true));
                }
            });
        }
    }
    int records = 0;
    read_records(folder.path() / "records.jsonl", [&records](const json&) { ++records; });
    EXPECT_EQ(records, 100);
    EXPECT_EQ(journal.attempts("3"), 25);
}

TEST(Journal, SetsATornTailAside) {
    const TemporaryFolder folder;
    const std::string whole = record_of("a", true).dump() + "\n" + record_of("b", true).dump() + "\n";
    { Journal journal(folder.path(), configuration); }
    for (const int time : {1, 2}) {
        const std::string tail = record_of("c", true).dump().substr(0, 9);
        folder.write("records.jsonl", whole + tail);
        Journal journal(folder.path(), configuration);
        const std::string name = "records.torn-" + std::to_string(time) + ".jsonl";
        EXPECT_EQ(journal.torn_file(), folder.path() / name);
        EXPECT_EQ(folder.read(name), tail);
        EXPECT_EQ(folder.read("records.jsonl"), whole);
        EXPECT_EQ(journal.finished_valid(), (std::set<std::string>{"a", "b"}));
        journal.append(record_of("c", false));
        EXPECT_EQ(folder.read("records.jsonl"), whole + record_of("c", false).dump() + "\n");
    }
}

// A record without its newline may be a prefix of something longer: it was not appended whole.
TEST(Journal, TakesALineWithoutItsEndAsTorn) {
    const TemporaryFolder folder;
    { Journal journal(folder.path(), configuration); }
    folder.write("records.jsonl", record_of("a", true).dump());
    const Journal journal(folder.path(), configuration);
    EXPECT_TRUE(journal.finished_valid().empty());
    EXPECT_EQ(folder.read("records.jsonl"), "");
}

TEST(Journal, RefusesAWholeLineThatIsNoRecord) {
    const TemporaryFolder folder;
    { Journal journal(folder.path(), configuration); }
    for (const char* line :
         {"{\"run_id\": \"a\", \"val", "[]", "", "{\"run_id\": \"a\"}", "{\"run_id\": 7, \"valid\": true}"}) {
        const std::string text = record_of("a", true).dump() + "\n" + line + "\n" + record_of("b", true).dump() + "\n";
        folder.write("records.jsonl", text);
        const std::string error = error_of(folder.path());
        EXPECT_NE(error.find("records.jsonl:2: not a record"), std::string::npos) << line << ": " << error;
        EXPECT_EQ(folder.read("records.jsonl"), text) << "nothing is changed";
    }
}

TEST(Journal, RefusesAnotherConfigurationAndNamesTheDifference) {
    const TemporaryFolder folder;
    { Journal journal(folder.path(), configuration); }
    const std::string kept = folder.read("eval.json");
    EXPECT_EQ(json::parse(kept).at("configuration"), configuration);
    EXPECT_EQ(error_of(folder.path()), "(no error)");
    const std::string error = error_of(folder.path(), {{"flush", "settled"}, {"model", "m"}});
    EXPECT_NE(error.find("/flush: \"paper\" -> \"settled\""), std::string::npos) << error;
    EXPECT_NE(error.find("/seed: 0 -> (nothing)"), std::string::npos) << error;
    EXPECT_NE(error.find("/model: (nothing) -> \"m\""), std::string::npos) << error;
    EXPECT_EQ(folder.read("eval.json"), kept);
}

TEST(Journal, RefusesAFolderOfSomethingElse) {
    const TemporaryFolder folder;
    folder.write("records.jsonl", "");
    EXPECT_NE(error_of(folder.path()).find("without the eval.json"), std::string::npos);
    for (const char* text : {"", "{}", "[]", "{\"schema\":7}", "{\"schema\":\"pasb.eval/1\"}"}) {
        folder.write("eval.json", text);
        EXPECT_NE(error_of(folder.path()).find("is no configuration"), std::string::npos) << text;
    }
    folder.write("file", "");
    EXPECT_NE(error_of(folder.path() / "file").find("file"), std::string::npos);
}

TEST(Journal, KeepsASecondRunnerOut) {
    const TemporaryFolder folder;
    {
        const Journal journal(folder.path(), configuration);
        EXPECT_NE(error_of(folder.path()).find("another pasb is writing here"), std::string::npos);
    }
    EXPECT_EQ(error_of(folder.path()), "(no error)");
}

TEST(Journal, IsFreeAgainAfterAKill) {
    const TemporaryFolder folder;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        Journal journal(folder.path(), configuration);
        journal.append(record_of("a", true));
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    const Journal journal(folder.path(), configuration);
    EXPECT_EQ(journal.finished_valid(), std::set<std::string>{"a"});
}

// A limit on the size of files stands for a full disk. In a child process, for the limit holds for a whole process.
TEST(Journal, LeavesNoPartOfARecordThatDidNotFit) {
    const TemporaryFolder folder;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        Journal journal(folder.path(), configuration);
        journal.append(record_of("a", true));
        const rlimit limit{100, 100};
        setrlimit(RLIMIT_FSIZE, &limit);
        json big = record_of("b", true);
        big["text"] = std::string(1000, 'x');
        try {
            journal.append(big);
        } catch (const InputError&) {
            _exit(journal.attempts("b") == 0 ? 0 : 2);
        }
        _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    EXPECT_EQ(folder.read("records.jsonl"), record_of("a", true).dump() + "\n");
}

TEST(ReadRecords, PassesOverATornLine) {
    const TemporaryFolder folder;
    folder.write("records.jsonl", record_of("a", true).dump() + "\n" + "{\"run_id\"");
    std::vector<std::string> ids;
    read_records(folder.path() / "records.jsonl", [&ids](const json& record) { ids.push_back(record.at("run_id")); });
    EXPECT_EQ(ids, std::vector<std::string>{"a"});
    EXPECT_THROW(read_records(folder.path() / "gone.jsonl", [](const json&) {}), InputError);
}

}  // namespace
}  // namespace pasb
