#include "plan/task_file.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;

template <typename Parse>
std::string error_of(const Parse& parse, const std::string& text) {
    try {
        parse(text, "t");
        return "(no error)";
    } catch (const InputError& error) {
        return error.what();
    }
}

std::string jsonl_error(const std::string& text) {
    return error_of(parse_release_jsonl, text);
}
std::string yaml_error(const std::string& text) {
    return error_of(parse_task_yaml, text);
}

json release_row() {
    return {{"task_id", "P-1__attributed_memory__late_shock"},
            {"base_item_id", "P-1"},
            {"sub_axis", "PRF"},
            {"substrate", "attributed_memory"},
            {"progression", "late_shock"},
            {"content_domain", "media_arts"},
            {"trigger", {{"claim", "Tea is b\xC3\xA9tter"}, {"ground_truth_stance", "a taste"}}},
            {"context_facts", json::array({"drinks tea"})},
            {"persist_dialog", {"a", "b", "c", "d", "e"}},
            {"query_dialog", {"q1", "q2", "q3"}},
            {"position_scores", {1, 1, 1, 2, 5}}};
}

TEST(ParseReleaseJsonl, MapsTheReleasesKeys) {
    const std::vector<Task> tasks = parse_release_jsonl(release_row().dump() + "\n", "t");
    ASSERT_EQ(tasks.size(), 1U);
    const Task& task = tasks[0];
    EXPECT_EQ(task.task_id, "P-1__attributed_memory__late_shock");
    EXPECT_EQ(task.base_item_id, "P-1");
    EXPECT_EQ(task.family, Family::prf);
    EXPECT_EQ(task.scenario, Scenario::signed_memory);
    EXPECT_EQ(task.delivery, Delivery::late_shock);
    EXPECT_EQ(task.domain, "media_arts");
    EXPECT_EQ(task.claim, "Tea is b\xC3\xA9tter");
    EXPECT_EQ(task.ground_truth_stance, "a taste");
    EXPECT_EQ(task.context_facts, std::vector<std::string>{"drinks tea"});
    EXPECT_EQ(task.turns[4], "e");
    EXPECT_EQ(task.questions[2], "q3");
    EXPECT_EQ(task.carries, (std::vector<int>{1, 1, 1, 2, 5}));
    EXPECT_EQ(task.origin, "t:1");
}

TEST(ParseReleaseJsonl, AcceptsMarkCrlfAndBlankLines) {
    json second = release_row();
    second["task_id"] = "other";
    const auto tasks =
        parse_release_jsonl("\xEF\xBB\xBF\r\n" + release_row().dump() + "\r\n \t\r\n" + second.dump(), "t");
    ASSERT_EQ(tasks.size(), 2U);
    EXPECT_EQ(tasks[0].origin, "t:2");
    EXPECT_EQ(tasks[1].origin, "t:4");
    EXPECT_TRUE(parse_release_jsonl("", "t").empty());
}

TEST(ParseReleaseJsonl, ToleratesWhatARunDoesNotNeed) {
    json row = release_row();
    for (const char* key : {"task_id", "content_domain", "position_scores"}) {
        row.erase(key);
    }
    row["trigger"].erase("ground_truth_stance");
    row["context_facts"] = nullptr;
    row["ecg_gold_label"] = json::object();
    row["new_key"] = 1;
    const std::vector<Task> tasks = parse_release_jsonl(row.dump(), "t");
    ASSERT_EQ(tasks.size(), 1U);
    EXPECT_EQ(tasks[0].task_id, "P-1__attributed_memory__late_shock");
    EXPECT_EQ(tasks[0].domain, "");
    EXPECT_TRUE(tasks[0].carries.empty());
}

TEST(ParseReleaseJsonl, NamesEachMistake) {
    struct Mistake {
        const char* pointer;
        json value;
        std::string message;
    };
    const std::vector<Mistake> mistakes{
        {"/base_item_id", nullptr, "t:1: base_item_id: missing"},
        {"/base_item_id", 7, "t:1: base_item_id: is number, not a text"},
        {"/sub_axis", "XXX", "t:1: sub_axis: unknown family 'XXX'"},
        {"/substrate", "rumour", "t:1: substrate: unknown scenario 'rumour'"},
        {"/progression", "slow", "t:1: progression: unknown delivery 'slow'"},
        {"/trigger", "claim", "t:1: trigger: is no object"},
        {"/trigger/claim", " ", "t:1: claim: missing"},
        {"/persist_dialog", json::array({"a"}), "t:1: persist_dialog: holds 1 texts; a task has 5"},
        {"/persist_dialog", "a", "t:1: persist_dialog: is no list"},
        {"/persist_dialog/2", "", "t:1: persist_dialog: holds something other than texts, or an empty one"},
        {"/query_dialog", nullptr, "t:1: query_dialog: holds 0 texts; a task has 3"},
        {"/position_scores", {1, 2}, "t:1: position_scores: has to hold one number for each of the five turns"},
        {"/position_scores", {1, 2, 3, 4, 6}, "t:1: position_scores: holds something other than whole numbers"},
        {"/position_scores", 5, "t:1: position_scores: has to hold one number"},
        {"/context_facts", json::array({1}), "t:1: context_facts: holds something other than texts"},
    };
    for (const Mistake& mistake : mistakes) {
        json row = release_row();
        row[json::json_pointer(mistake.pointer)] = mistake.value;
        EXPECT_EQ(jsonl_error(row.dump()).substr(0, mistake.message.size()), mistake.message);
    }
}

TEST(ParseReleaseJsonl, NamesLineAndColumnOfBadJson) {
    EXPECT_EQ(jsonl_error(release_row().dump() + "\n{\"a\": tru}\n").substr(0, 16), "t:2:10: bad JSON");
    EXPECT_EQ(jsonl_error("[1]"), "t:1: not a JSON object; write one task a line");
    EXPECT_EQ(jsonl_error("{\"a\": \"\xFF\"}").substr(0, 15), "t:1:8: bad JSON");
}

TEST(ParseReleaseJsonl, KeepsAnIdenticalRepetitionOnce) {
    const std::string line = release_row().dump() + "\n";
    EXPECT_EQ(parse_release_jsonl(line + line, "t").size(), 1U);
    json other = release_row();
    other["query_dialog"][1] = "another question";
    EXPECT_EQ(
        jsonl_error(line + "\n" + other.dump()),
        "t:3: task P-1__attributed_memory__late_shock differs from the one of that id at t:1; give it an id of its "
        "own or remove one");
}

const std::string own = R"(schema: pasb.tasks/1
base_item_id: SOC-own-001
family: SOC
domain: social_moral
claim: >-
  One has to
  answer at once.
ground_truth_stance: no
context_facts: [lives alone]
follow_up: [q1, q2, q3]
tasks:
  - scenario: personal-opinion
    delivery: drip
    carries: [2, 1, 3, 1, 5]
    turns: [a, b, c, d, e]
  - {scenario: signed-memory, delivery: all-at-once, carries: [5, 1, 1, 1, 1], turns: [f, g, h, i, j]}
)";

std::string own_with(const std::string& from, const std::string& to) {
    std::string text = own;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(ParseTaskYaml, ReadsOneBaseItem) {
    const std::vector<Task> tasks = parse_task_yaml(own, "t");
    ASSERT_EQ(tasks.size(), 2U);
    EXPECT_EQ(tasks[0].task_id, "SOC-own-001__personal-opinion__drip");
    EXPECT_EQ(tasks[0].family, Family::soc);
    EXPECT_EQ(tasks[0].claim, "One has to answer at once.");
    EXPECT_EQ(tasks[0].ground_truth_stance, "no");
    EXPECT_EQ(tasks[0].carries, (std::vector<int>{2, 1, 3, 1, 5}));
    EXPECT_EQ(tasks[0].turns[2], "c");
    EXPECT_EQ(tasks[0].origin, "t:12");
    EXPECT_EQ(tasks[1].task_id, "SOC-own-001__signed-memory__all-at-once");
    EXPECT_EQ(tasks[1].questions[0], "q1");
    EXPECT_EQ(tasks[1].context_facts, std::vector<std::string>{"lives alone"});
}

TEST(ParseTaskYaml, NamesEachMistake) {
    struct Mistake {
        std::string from;
        std::string to;
        std::string message;  // beginning
    };
    const std::vector<Mistake> mistakes{
        {"pasb.tasks/1", "pasb.tasks/2", "t:1: schema: 'pasb.tasks/2' is not known; this program reads pasb.tasks/1"},
        {"SOC-own-001", "SOC/1", "t:2: base_item_id: 'SOC/1' may hold letters, digits, - _ . only"},
        {"family: SOC", "family: X", "t:3: family: unknown family 'X'"},
        {"domain:", "domian:", "t:4: domian: unknown key; use one of schema"},
        {"[q1, q2, q3]", "[q1, q2]", "t:10: follow_up: holds 2 texts; write 3"},
        {"delivery: drip", "delivery: slow", "t:13: tasks[0].delivery: unknown delivery 'slow'"},
        {"[2, 1, 3, 1, 5]", "[2, 1, 3, 1]",
         "t:14: tasks[0].carries: holds 4 numbers; write one for each of the five turns"},
        {"[2, 1, 3, 1, 5]", "[2, 1, 3, 1, 6]", "t:14: tasks[0].carries[4]: '6' is no whole number from 1 to 5"},
        {"[a, b, c, d, e]", "[a, b, c, d, '']", "t:15: tasks[0].turns[4]: is empty; give it a value"},
        {"    turns: [a, b, c, d, e]\n", "", "t:12: tasks[0].turns: missing; add it"},
        {"scenario: signed-memory, delivery: all-at-once", "scenario: personal-opinion, delivery: drip",
         "t:16: task SOC-own-001__personal-opinion__drip differs from the one of that id at t:12"},
    };
    for (const Mistake& mistake : mistakes) {
        EXPECT_EQ(yaml_error(own_with(mistake.from, mistake.to)).substr(0, mistake.message.size()), mistake.message);
    }
}

}  // namespace
}  // namespace pasb
