#include "run/load_tasks.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "integration/temporary_folder.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

std::string error_of(const fs::path& path) {
    try {
        load_tasks(path.string());
        return "(no error)";
    } catch (const InputError& error) {
        return error.what();
    }
}

std::string yaml(const std::string& claim) {
    return "{schema: pasb.tasks/1, base_item_id: I, family: PRF, domain: d, claim: " + claim +
           ", ground_truth_stance: s, follow_up: [q, r, s], tasks: [{scenario: signed-memory, delivery: drip, "
           "carries: [1, 1, 1, 1, 5], turns: [a, b, c, d, e]}]}\n";
}

TEST(LoadTasks, ReadsAFolderInTheOrderOfNamesAndNothingElseInIt) {
    const TemporaryFolder folder;
    folder.write("b.yaml", yaml("x"));
    folder.write("a.yaml", yaml("x"));
    folder.write("README.md", "not a task");
    const std::vector<Task> tasks = load_tasks(folder.path().string());
    ASSERT_EQ(tasks.size(), 1U) << "the same task in two files is one task";
    EXPECT_EQ(tasks[0].origin, (folder.path() / "a.yaml").string() + ":1");
}

TEST(LoadTasks, NamesBothFilesOfAConflict) {
    const TemporaryFolder folder;
    folder.write("a.yaml", yaml("x"));
    folder.write("b.yaml", yaml("y"));
    const std::string error = error_of(folder.path());
    EXPECT_NE(error.find("a.yaml:1"), std::string::npos) << error;
    EXPECT_NE(error.find("b.yaml:1"), std::string::npos) << error;
}

TEST(LoadTasks, SaysWhatIsWrongWithAPath) {
    const TemporaryFolder folder;
    EXPECT_NE(error_of(folder.path()).find("no task in it"), std::string::npos);
    folder.write("x.txt", "");
    EXPECT_NE(error_of(folder.path() / "x.txt").find("no task file"), std::string::npos);
    EXPECT_NE(error_of(folder.path() / "gone.yaml").find("No such file"), std::string::npos);
    fs::create_directory(folder.path() / "folder.yaml");
    EXPECT_NE(error_of(folder.path()).find("Is a directory"), std::string::npos);
}

TEST(LoadTasks, ReadsTheProjectsOwnTasks) {
    EXPECT_EQ(load_tasks(PASB_SOURCE_DIR "/configs/tasks").size(), 48U);
}

TEST(LoadTasks, ReadsTheWholePublicRelease) {
    const fs::path release = PASB_SOURCE_DIR "/../shared/data/pasb-official";
    if (!fs::exists(release)) {
        GTEST_SKIP() << "needs ../shared/data/pasb-official";
    }
    const std::map<std::string, std::size_t> files{
        {"tasks_PRF.jsonl", 512}, {"tasks_CDL.jsonl", 288}, {"tasks_SOC.jsonl", 320}, {"tasks_SOC_v8.jsonl", 480}};
    for (const auto& [name, count] : files) {
        EXPECT_EQ(load_tasks((release / name).string()).size(), count) << name;
    }
    EXPECT_EQ(load_tasks(release.string()).size(), 1600U);
}

}  // namespace
}  // namespace pasb
