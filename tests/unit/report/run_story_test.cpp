#include "report/run_story.hpp"

#include <gtest/gtest.h>

#include "report/run_row.hpp"

namespace pasb {
namespace {

using nlohmann::json;

Record saved_run() {
    Record record;
    record.run_id = "run";
    record.task.claim = "the claim";
    record.valid = true;
    record.saved = true;
    record.destination = "memory";
    for (int turn = 1; turn <= first_chat_turns; ++turn) {
        record.first_chat.push_back({turn, "u", "a", 1, 1});
    }
    NoteRecord note;
    note.path = "MEMORY.md";
    note.kind = PathKind::memory;
    note.text = "old line\nholds the claim here\n";
    note.holds_claim = true;
    note.span_begin = 15;
    note.span_end = 24;
    record.notes = {note};
    record.write_attempts = {{1, "memory", "MEMORY.md", std::nullopt, false}};
    record.cut = {{"proven", true}, {"reason", ""}, {"requests_checked", 3}, {"crossed", {"MEMORY.md"}}};
    record.shown = {{"automatic", true},
                    {"by_tool", false},
                    {"notes", {{{"path", "MEMORY.md"}, {"automatic", true}, {"by_tool", false}}}}};
    return record;
}

Judgement judgement_with(int score) {
    Judgement judgement;
    judgement.judge = "sim:lexical";
    for (AnswerVerdict& verdict : judgement.answers) {
        verdict.scores = {score, 1, 1, 1};
    }
    judgement.cross_turn.scores = {3, 1};
    return judgement;
}

std::vector<std::string> states(const json& story) {
    std::vector<std::string> names;
    for (const json& link : story.at("chain")) {
        names.push_back(link.at("state"));
    }
    return names;
}

using States = std::vector<std::string>;

TEST(RunStory, GivesAStateToEachOfTheEightLinks) {
    const Judgement judgement = judgement_with(4);
    Annotation annotation;
    annotation.stance = Stance::challenge;
    EXPECT_EQ(states(run_story(saved_run(), &judgement, &annotation)),
              (States{"yes", "no", "yes", "yes", "yes", "yes", "yes", "yes"}));
}

TEST(RunStory, AssumesNothingAboutARunThatDidNotBegin) {
    Record record;
    record.invalid_reason = reason::agent_not_ready;
    EXPECT_EQ(states(run_story(record, nullptr, nullptr)),
              (States{"no", "unknown", "unknown", "unknown", "unknown", "unknown", "unknown", "unknown"}));
}

TEST(RunStory, TellsACutThatIsRefutedFromOneThatIsNotProven) {
    Record record = saved_run();
    record.cut = {{"proven", false}, {"reason", "not captured whole"}, {"foreign_total", 0}};
    EXPECT_EQ(states(run_story(record, nullptr, nullptr)).at(5), "unknown");
    record.cut["foreign_total"] = 1;
    EXPECT_EQ(states(run_story(record, nullptr, nullptr)).at(5), "no");
}

TEST(RunStory, DoesNotCallAnswersWithoutScoresIndependent) {
    Judgement judgement = judgement_with(2);
    EXPECT_EQ(states(run_story(saved_run(), &judgement, nullptr)).back(), "no");
    judgement.answers.at(1).scores.reset();
    judgement.answers.at(1).unscored = "no-json";
    EXPECT_EQ(states(run_story(saved_run(), &judgement, nullptr)).back(), "unknown");
}

TEST(RunStory, MarksTheClaimAndTheNewLinesOfAnAddedNote) {
    const json note = run_story(saved_run(), nullptr, nullptr).at("notes").at(0);
    EXPECT_EQ(note.at("diff"), "all-new");
    EXPECT_EQ(note.at("lines"), json::parse(R"([["+",[["old line",false]]],
                              ["+",[["holds ",false],["the claim",true],[" here",false]]]])"));
}

TEST(RunStory, ComparesAModifiedNoteOnlyWithTextsThatItWasGiven) {
    Record record = saved_run();
    record.notes.front().change = ChangeType::modified;
    const json blind = run_story(record, nullptr, nullptr).at("notes").at(0);
    EXPECT_EQ(blind.at("diff"), "unknown");
    EXPECT_EQ(blind.at("lines").at(0).at(0), "?");
    const BaselineTexts baseline{{"MEMORY.md", "old line\ngone line\n"}};
    const json seeing = run_story(record, nullptr, nullptr, &baseline).at("notes").at(0);
    EXPECT_EQ(seeing.at("diff"), "against-baseline");
    EXPECT_EQ(seeing.at("lines").at(0).at(0), " ");
    EXPECT_EQ(seeing.at("lines").at(1).at(0), "+");
    EXPECT_EQ(seeing.at("removed"), json{"gone line"});
}

TEST(RunStory, CallsNoLineOfARenamedNoteNew) {
    Record record = saved_run();
    record.notes.front().change = ChangeType::renamed;
    const json note = run_story(record, nullptr, nullptr).at("notes").at(0);
    EXPECT_EQ(note.at("diff"), "renamed");
    EXPECT_EQ(note.at("lines").at(1).at(0), " ");
}

TEST(RunStory, SurvivesASpanAndBytesThatMakeNoSense) {
    Record record = saved_run();
    record.notes.front().span_end = 100000;
    EXPECT_NO_THROW(run_story(record, nullptr, nullptr).dump());
    record.notes.front().text = "\xFF\xFE";
    EXPECT_EQ(run_story(record, nullptr, nullptr).at("notes").at(0).at("diff"), "binary");
    record.first_chat.front().agent = std::string(100000, 'x') + "\xFF";
    EXPECT_NO_THROW(run_story(record, nullptr, nullptr).dump());
}

TEST(RunRow, CountsTheGreatestScoreOfEachMetric) {
    Judgement judgement = judgement_with(2);
    judgement.answers.at(2).scores = {3, 1, 5, 1};
    const RunRow row = run_row(saved_run(), &judgement, nullptr);
    EXPECT_EQ(row.failed, 0b010101);  // sycophancy, upgrade, persistence
    EXPECT_EQ(row.rate, 0.5);
    EXPECT_EQ(row.state, "valid");
}

TEST(RunRow, HasNoFailuresWithoutAllScores) {
    Judgement judgement = judgement_with(5);
    judgement.cross_turn.scores.reset();
    EXPECT_FALSE(run_row(saved_run(), &judgement, nullptr).failed);
    EXPECT_FALSE(run_row(saved_run(), nullptr, nullptr).rate);
}

}  // namespace
}  // namespace pasb
