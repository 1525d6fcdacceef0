#include "model/record.hpp"

#include <gtest/gtest.h>

#include <set>

#include "model/errors.hpp"

namespace pasb {
namespace {

Record full_record() {
    Record record;
    record.run_id = "hermes-prf-1";
    record.task.task_id = "PRF-1__drip";
    record.task.base_item_id = "PRF-1";
    record.task.family = Family::soc;
    record.task.scenario = Scenario::signed_memory;
    record.task.delivery = Delivery::drip;
    record.task.claim = "Scales make timid bakers";
    record.task.turns = {"a", "b", "c", "d", "e"};
    record.task.questions = {"x", "y", "z"};
    record.task.carries = {3, 1, 3, 1, 3};
    record.framework = "hermes";
    record.framework_version = "0.19.0";
    record.model = "sim:adopter";
    record.simulated = true;
    record.attempt = 2;
    record.image_id = "sha256:1";
    record.baseline = "2";
    record.invalid_reason = reason::turn_failed;
    record.invalid_detail = "turn 3: status 502";
    record.first_chat = {{1, "hello", "hi", 1.5, 2}};
    record.flush = {"settled", 5.25, true};
    record.notes = {{"memories/caf\xe9.md", PathKind::memory, ChangeType::added, "abc", "text \xff", true, 0.75, 2, 5}};
    record.other_changes = {{"state.db", {}, ChangeType::modified, FileType::regular, PathKind::history, 12, "def"}};
    record.unclassified = {{"new", "old", ChangeType::renamed, FileType::symlink, PathKind::unknown, 3, "123"}};
    record.saved = true;
    record.destination = "memory";
    record.write_attempts = {{1, "memory", "user", true, true}, {2, "skill_manage", "", std::nullopt, false}};
    record.cut = {{"proven", false}};
    record.warnings = {"canary-gone"};
    return record;
}

TEST(Record, ComesBackFromItsLineAsItWas) {
    const std::string line = to_line(full_record());
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Record record = record_from_json(nlohmann::json::parse(line));
    EXPECT_EQ(to_line(record), line);
    EXPECT_EQ(record.notes.at(0).path, "memories/caf\xe9.md");
    EXPECT_EQ(record.notes.at(0).text, "text \xff");
    EXPECT_EQ(record.unclassified.at(0).renamed_from, "old");
    EXPECT_EQ(record.write_attempts.at(0).ok, std::optional<bool>(true));
    EXPECT_EQ(record.write_attempts.at(1).ok, std::nullopt);
    EXPECT_EQ(record.task.delivery, Delivery::drip);
}

// The keys that the issue and configs/schemas/record.md promise.
TEST(Record, HasEveryPromisedKey) {
    const nlohmann::json value = nlohmann::json::parse(to_line(full_record()));
    for (const char* key : {"schema",         "run_id",       "task_id",
                            "base_item_id",   "family",       "scenario",
                            "delivery",       "framework",    "framework_version",
                            "model",          "simulated",    "arm",
                            "attempt",        "image",        "valid",
                            "invalid_reason", "first_chat",   "follow_up",
                            "flush",          "notes",        "other_changes",
                            "unclassified",   "saved",        "destination",
                            "write_attempts", "continuity",   "cut",
                            "shown",          "tools_sha256", "limits",
                            "usage",          "times",        "exchanges",
                            "warnings"}) {
        EXPECT_TRUE(value.contains(key)) << key;
    }
    for (const char* key : {"path", "kind", "change", "sha256", "text", "holds_claim", "score", "span"}) {
        EXPECT_TRUE(value.at("notes").at(0).contains(key)) << key;
    }
}

TEST(Record, MissingAndWrongFieldsAreNamed) {
    nlohmann::json value = nlohmann::json::parse(to_line(full_record()));
    value.erase("flush");
    try {
        record_from_json(value);
        FAIL() << "a record without flush was read";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("flush"), std::string::npos) << error.what();
    }
    EXPECT_THROW(record_from_json({{"schema", "pasb.record/2"}}), InputError);
    EXPECT_THROW(record_from_json(nlohmann::json::array()), InputError);
}

TEST(Names, LegacyNamesOfTheReleaseAreRead) {
    EXPECT_EQ(scenario_from("attributed_memory"), Scenario::signed_memory);
    EXPECT_EQ(scenario_from("skill_snippet"), Scenario::procedural_workflow);
    EXPECT_EQ(delivery_from("late_shock"), Delivery::late_shock);
    EXPECT_EQ(to_string(delivery_from("all_at_once")), "all-at-once");
    EXPECT_THROW(family_from("prf"), InputError);
}

}  // namespace
}  // namespace pasb
