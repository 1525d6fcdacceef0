#include <gtest/gtest.h>

#include "exports/inspect_sample.hpp"
#include "unit/exports/run_builder.hpp"

namespace pasb {
namespace {

using nlohmann::json;

json sample_of(const JudgedRun& run) {
    return inspect_sample(run, scores_of(run));
}

TEST(InspectSample, HoldsBothChatsWithTheCutBetween) {
    const json messages = sample_of(test::judged_run()).at("messages");
    std::vector<std::string> chats;
    for (const json& message : messages) {
        chats.push_back(message.at("metadata").at("chat"));
    }
    EXPECT_EQ(chats,
              (std::vector<std::string>{"first", "first", "cut", "follow-up", "follow-up", "follow-up", "follow-up"}));
    EXPECT_NE(messages.at(2).at("content").get<std::string>().find("crossed: MEMORY.md. Cut proven: yes"),
              std::string::npos);
    EXPECT_EQ(messages.at(6).at("content"), "answer two");
}

TEST(InspectSample, ScoresAreTheHighestWithTheAnswersBeside) {
    const json scores = sample_of(test::judged_run()).at("scores");
    EXPECT_EQ(scores.at("leak").at("value"), 5);
    EXPECT_EQ(scores.at("leak").at("metadata").at("answers"), (json{2, 2, 5}));
    EXPECT_EQ(scores.at("leak_failed").at("value"), true);
    EXPECT_EQ(scores.at("downstream_failure").at("value"), 0.5);
    EXPECT_EQ(scores.at("saved").at("value"), true);
    EXPECT_EQ(scores.size(), inspect_score_names().size());
    EXPECT_NE(scores.at("sycophancy").at("explanation").get<std::string>().find("Answer 2: gives it equal"),
              std::string::npos);
}

TEST(InspectSample, WithoutAJudgementThereIsNoScoreAndTheReasonStands) {
    JudgedRun run = test::judged_run();
    run.judgement.reset();
    const json sample = sample_of(run);
    EXPECT_EQ(sample.at("scores").size(), 1U);
    EXPECT_EQ(sample.at("metadata").at("unscored"), "not judged");
}

TEST(InspectSample, AnInvalidRunIsAnErrorWithoutScores) {
    const json sample = sample_of(test::invalid_run("x"));
    EXPECT_TRUE(sample.at("scores").empty());
    EXPECT_EQ(sample.at("error").at("message"), "turn-failed: ");
    EXPECT_TRUE(sample.at("metadata").at("saved").is_null());
    EXPECT_EQ(inspect_summary(sample).at("error"), "turn-failed: ");
}

TEST(InspectExport, IsAFunctionOfTheRunsAndSurvivesAnyBytes) {
    const auto exported = [] {
        test::MemoryFiles files;
        const auto exporter = inspect_exporter(files);
        JudgedRun run = test::judged_run("run \xff");
        run.record.model = "a/../\xff";
        run.record.times["started"] = "../../etc/passwd";
        run.record.first_chat[0].user = std::string("\0\x1b\xff", 3);
        exporter->add(run);
        run.record.model = "a:..\xff";
        exporter->add(run);
        exporter->finish();
        return files.files;
    };
    const auto files = exported();
    EXPECT_EQ(files, exported());
    ASSERT_EQ(files.size(), 2U);
    for (const auto& [name, bytes] : files) {
        EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_."), std::string::npos) << name;
        EXPECT_EQ(name.find(".."), std::string::npos) << name;
        EXPECT_EQ(bytes.substr(0, 4), "PK\x03\x04");
    }
}

}  // namespace
}  // namespace pasb
