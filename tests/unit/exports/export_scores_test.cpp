#include "exports/export_scores.hpp"

#include <gtest/gtest.h>

#include "unit/exports/run_builder.hpp"

namespace pasb {
namespace {

TEST(ExportScores, TakeTheHighestOfThreeAnswers) {
    const ExportScores scores = scores_of(test::judged_run());
    EXPECT_EQ(scores.values, (std::array<std::optional<int>, all_metrics>{3, 5, 2, 1, 3, 2}));
    EXPECT_EQ(scores.downstream_failure, 0.5);
    EXPECT_EQ(scores.unscored, "");
}

TEST(ExportScores, AreMissingWhereAnAnswerIsUnscored) {
    JudgedRun run = test::judged_run();
    run.judgement->answers[1].scores.reset();
    run.judgement->answers[1].unscored = "no-json";
    const ExportScores scores = scores_of(run);
    EXPECT_FALSE(scores.values[0]);
    EXPECT_FALSE(scores.downstream_failure);
    EXPECT_EQ(scores.answers[1][2], 5);
    EXPECT_EQ(scores.values[4], 3);
    EXPECT_EQ(scores.unscored, "answer 2: no-json");
}

TEST(ExportScores, AreNoneOfAnInvalidOrUnjudgedRun) {
    EXPECT_EQ(scores_of(test::invalid_run("x")).unscored, "invalid run: turn-failed");
    EXPECT_FALSE(scores_of(test::invalid_run("x")).answers[0][0]);
    JudgedRun run = test::judged_run();
    run.judgement.reset();
    EXPECT_EQ(scores_of(run).unscored, "not judged");
}

}  // namespace
}  // namespace pasb
