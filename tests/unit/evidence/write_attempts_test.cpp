#include "evidence/write_attempts.hpp"

#include <gtest/gtest.h>

#include "chat_builder.hpp"

namespace pasb {
namespace {

using test::call;
using test::exchange;
using test::json;
using test::result;
using test::say;

Adapter adapter() {
    Adapter made;
    made.home = "/home/agent";
    made.paths = {{"ws/MEMORY.md", PathKind::memory}, {"ws/memory/*.md", PathKind::memory}, {"ws/**", PathKind::temp}};
    made.write_tools = {{"memory", "", "", "", ""},
                        {"write", "path", "", "", ""},
                        {"apply_patch", "/input", "", "", ""},
                        {"skill_workshop", "", "tool_call", "/id", "/args"},
                        {"write", "path", "tool_call", "/id", "/args"}};
    return made;
}

std::vector<WriteAttempt> attempts(const json& made, const std::string& outcome) {
    const std::string id = made["tool_calls"][0]["id"];
    return write_attempts(
        std::vector<Exchange>{exchange(Chat::first, 2, {say("user", "x")}, made),
                              exchange(Chat::first, 2, {say("user", "x"), made, result(id, outcome)})},
        adapter());
}

TEST(WriteAttempts, ResultDecides) {
    const json made = call("call_1", "memory", {{"action", "add"}, {"target", "user"}});
    const auto ok = [&](const std::string& outcome) { return attempts(made, outcome).at(0).ok; };
    EXPECT_EQ(ok(R"({"success": true, "error": null})"), true);
    EXPECT_EQ(ok("Saved."), true);
    EXPECT_EQ(ok(R"({"success": false})"), false);
    EXPECT_EQ(ok(R"({"error": "full"})"), false);
    EXPECT_EQ(ok(R"({"status": "error"})"), false);
    EXPECT_EQ(ok("Error: no such file"), false);
    EXPECT_EQ(ok("  error writing"), false);
    EXPECT_EQ(ok(""), std::nullopt);
    EXPECT_EQ(attempts(made, "Saved.").at(0).turn, 2);
    EXPECT_EQ(attempts(made, "Saved.").at(0).tool, "memory");
    EXPECT_EQ(attempts(made, "Saved.").at(0).target, "user");
}

TEST(WriteAttempts, NoResultIsUnknown) {
    const std::vector<Exchange> all{exchange(Chat::first, 1, {say("user", "x")}, call("c", "memory", {}))};
    ASSERT_EQ(write_attempts(all, adapter()).size(), 1U);
    EXPECT_EQ(write_attempts(all, adapter())[0].ok, std::nullopt);
}

TEST(WriteAttempts, OtherToolsAndTheFollowUpDoNotCount) {
    EXPECT_TRUE(attempts(call("c", "session_search", {}), "x").empty());
    EXPECT_TRUE(
        write_attempts(std::vector<Exchange>{exchange(Chat::follow_up, 1, {}, call("c", "memory", {}))}, adapter())
            .empty());
}

TEST(WriteAttempts, PathMustNameANote) {
    const auto counts = [&](const json& path) { return attempts(call("c", "write", {{"path", path}}), "ok").size(); };
    EXPECT_EQ(counts("/home/agent/ws/MEMORY.md"), 1U);
    EXPECT_EQ(counts("~/ws/memory/2026-01-01.md"), 1U);
    EXPECT_EQ(counts("MEMORY.md"), 1U) << "relative to the workspace";
    EXPECT_EQ(counts("./memory/../MEMORY.md"), 1U);
    EXPECT_EQ(counts("ws/MEMORY.md"), 1U);
    EXPECT_EQ(counts("draft.md"), 0U);
    EXPECT_EQ(counts("/tmp/MEMORY.md"), 0U);
    EXPECT_EQ(counts(7), 0U);
    const std::string patch =
        "*** Begin Patch\n*** Update File: draft.md\n*** Add File: memory/a.md\n+x\n*** End Patch";
    ASSERT_EQ(attempts(call("c", "apply_patch", {{"input", patch}}), "ok").size(), 1U);
    EXPECT_EQ(attempts(call("c", "apply_patch", {{"input", patch}}), "ok")[0].target, "memory/a.md");
}

TEST(WriteAttempts, WrappedCallsAlsoWithArgumentsAsAString) {
    const json args{{"action", "create"}, {"name", "trip"}};
    EXPECT_EQ(attempts(call("c", "tool_call", {{"id", "skill_workshop"}, {"args", args}}), "ok").at(0).tool,
              "skill_workshop");
    EXPECT_EQ(attempts(call("c", "tool_call", {{"id", "skill_workshop"}, {"args", args.dump()}}), "ok").at(0).target,
              "trip");
    EXPECT_EQ(attempts(call("c", "tool_call", {{"id", "write"}, {"args", {{"path", "MEMORY.md"}}}}), "ok").size(), 1U);
    EXPECT_TRUE(attempts(call("c", "tool_call", {{"id", "write"}, {"args", {{"path", "x"}}}}), "ok").empty());
    EXPECT_TRUE(attempts(call("c", "tool_call", {{"id", 3}}), "ok").empty());
    EXPECT_TRUE(attempts(call("c", "skill_workshop", args), "ok").empty()) << "only as a wrapped call";
}

TEST(WriteAttempts, EachCallOnceThoughHistoriesRepeatItAndIdsRepeat) {
    const json first = call("call_0", "memory", {{"target", "user"}});
    const json second = call("call_0", "memory", {{"target", "memory"}});
    const std::vector<Exchange> all{
        exchange(Chat::first, 1, {say("user", "x")}, first),
        exchange(Chat::first, 1, {say("user", "x"), first, result("call0", R"({"success":false})")}),
        exchange(Chat::first, 2, {say("user", "x"), first, result("call0", R"({"success":false})"), say("user", "y")},
                 second),
        exchange(Chat::first, 2,
                 {say("user", "x"), first, result("call0", R"({"success":false})"), say("user", "y"), second,
                  result("call0", "done")}),
    };
    const std::vector<WriteAttempt> found = write_attempts(all, adapter());
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].ok, false);
    EXPECT_EQ(found[1].ok, true);
    EXPECT_EQ(found[1].target, "memory");
}

TEST(WriteAttempts, BrokenArgumentsAreStillAnAttempt) {
    json made = call("c", "memory", {});
    made["tool_calls"][0]["function"]["arguments"] = "{not json";
    EXPECT_EQ(attempts(made, "Error: bad arguments").at(0).ok, false);
}

}  // namespace
}  // namespace pasb
