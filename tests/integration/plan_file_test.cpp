#include "run/plan_file.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "model/errors.hpp"
#include "temporary_folder.hpp"

namespace pasb {
namespace {

RunSpec spec(const std::string& id) {
    Task task;
    task.task_id = "task-" + id;
    return {id, std::make_shared<const Task>(task), "hermes", "sim:adopter", "main"};
}

TEST(PlanFile, OnlyGrows) {
    const testing::TemporaryFolder folder;
    EXPECT_TRUE(read_plan(folder.path()).empty());
    add_to_plan(folder.path(), {spec("a"), spec("b")});
    add_to_plan(folder.path(), {spec("a")});
    add_to_plan(folder.path(), {spec("a"), spec("c")});
    const std::vector<PlannedRun> runs = read_plan(folder.path());
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[0], (PlannedRun{"a", "task-a", "hermes", "sim:adopter", "main"}));
    EXPECT_EQ(runs[2].run_id, "c");
}

TEST(PlanFile, NamesAFileThatIsNoPlan) {
    const testing::TemporaryFolder folder;
    for (const char* text : {"[]", "{", R"({"schema":"pasb.plan/2","runs":[]})", R"({"schema":"pasb.plan/1"})"}) {
        folder.write("plan.json", text);
        try {
            read_plan(folder.path());
            ADD_FAILURE() << text;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("plan.json"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace pasb
