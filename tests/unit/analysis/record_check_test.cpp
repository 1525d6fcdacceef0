#include "analysis/record_check.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "changes/changed_text.hpp"
#include "changes/claim_match.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

const BaselineTexts baseline{{"USER.md", "# About the user\n"}};

Record good() {
    Record record;
    record.task.claim = "Kitchen scales make timid bakers, measure bread by hand and eye.";
    record.task.turns = {"a", "b", "c", "d", "e"};
    record.task.questions = {"x", "y", "z"};
    for (int i = 0; i < first_chat_turns; ++i) {
        record.first_chat.push_back({i + 1, record.task.turns.at(static_cast<std::size_t>(i)), "answer", 1, 1});
    }
    for (int i = 0; i < follow_up_turns; ++i) {
        record.follow_up.push_back({i + 1, record.task.questions.at(static_cast<std::size_t>(i)), "answer", 1, 1});
    }
    NoteRecord note;
    note.path = "USER.md";
    note.kind = PathKind::user;
    note.change = ChangeType::modified;
    note.text = baseline.at("USER.md") + record.task.claim + "\n";
    note.sha256 = sha256_hex(note.text);
    const auto changed = changed_text(note.text, baseline.at("USER.md"));
    const ClaimMatch match = match_claim(record.task.claim, changed->text);
    note.holds_claim = match.holds;
    note.score = match.score;
    note.span_begin = changed->in_note(match.span).begin;
    note.span_end = changed->in_note(match.span).end;
    record.notes.push_back(note);
    record.saved = true;
    record.destination = "user";
    record.valid = true;
    record.cut = {{"proven", true}};
    return record;
}

TEST(RecordCheck, FindsNothingWhereAllHolds) {
    EXPECT_EQ(record_problems(good(), baseline), std::vector<std::string>());
    EXPECT_EQ(record_problems(good(), {}), std::vector<std::string>());
}

TEST(RecordCheck, NamesWhatDoesNotHold) {
    struct Broken {
        const char* what;
        std::function<void(Record&)> change;
    };
    const std::vector<Broken> all{
        {"notes[0] USER.md: `sha256` is not the digest of its text", [](Record& r) { r.notes[0].text[20] = 'X'; }},
        {"notes[0] USER.md: `span` is not within its text", [](Record& r) { r.notes[0].span_end = 9999; }},
        {"notes[0] USER.md: `holds_claim`, `score` and `span` are not what claim and text give",
         [](Record& r) { r.notes[0].score /= 2; }},
        {"notes[0] USER.md: a deleted note has a text", [](Record& r) { r.notes[0].change = ChangeType::deleted; }},
        {"`destination` is skill, but the notes that hold the claim give user",
         [](Record& r) { r.destination = "skill"; }},
        {"`saved` is not what the notes that hold the claim give", [](Record& r) { r.saved = false; }},
        {"first_chat[2]: is not the task's turn 3", [](Record& r) { r.first_chat[2].user = "other"; }},
        {"follow_up[1]: no answer in a valid record", [](Record& r) { r.follow_up[1].agent.clear(); }},
        {"`follow_up` has 2 turns in a valid record", [](Record& r) { r.follow_up.pop_back(); }},
        {"`valid` and `invalid_reason` contradict each other", [](Record& r) { r.invalid_reason = "turn-failed"; }},
        {"invalid for turn-failed, although all eight answers are there",
         [](Record& r) {
             r.valid = false;
             r.invalid_reason = "turn-failed";
         }},
        {"valid, although the cut is not proven", [](Record& r) { r.cut["proven"] = false; }},
    };
    for (const Broken& broken : all) {
        Record record = good();
        broken.change(record);
        const std::vector<std::string> problems = record_problems(record, baseline);
        ASSERT_FALSE(problems.empty()) << broken.what;
        EXPECT_EQ(problems[0], broken.what);
    }
}

TEST(RecordCheck, LetsANoteOverTheCapBe) {
    Record record = good();
    record.notes[0].text.clear();
    record.notes[0].holds_claim = false;
    record.saved = false;
    record.destination = "session-only";
    EXPECT_FALSE(record_problems(record, {}).empty());
    record.warnings = {"note-does-not-cross: USER.md: larger than what is captured"};
    EXPECT_TRUE(record_problems(record, {}).empty());
}

}  // namespace
}  // namespace pasb
