#include "stats/agreement.hpp"

#include "unit/stats/oracles.hpp"

namespace pasb {
namespace {

std::optional<int> score_of(const nlohmann::json& value) {
    return value.is_null() ? std::nullopt : std::optional<int>(value.get<int>());
}

std::vector<RatedTwice> rated_of(const nlohmann::json& rows) {
    std::vector<RatedTwice> answers;
    for (const auto& row : rows) {
        answers.push_back({score_of(row[0]), score_of(row[1]), {row[2], row[3]}});
    }
    return answers;
}

void expect_share(const Estimate& ours, const nlohmann::json& theirs) {
    ASSERT_TRUE(ours.value);
    EXPECT_EQ(ours.numerator, theirs.at("count"));
    EXPECT_EQ(ours.denominator, theirs.at("of"));
    EXPECT_NEAR(*ours.value, theirs.at("robust").at("value"), tolerance);
    expect_interval(ours.wilson, theirs.at("wilson"));
    expect_interval(ours.cluster_robust, theirs.at("robust"));
    EXPECT_TRUE(ours.bootstrap.interval);
}

TEST(ScoreAgreement, IsPandasAndStatsmodels) {
    const auto& expected = oracles().at("agreement");
    const ScoreAgreement ours = score_agreement(rated_of(expected.at("rows")));
    EXPECT_EQ(ours.missing, expected.at("missing"));
    expect_share(ours.exact, expected.at("exact"));
    expect_share(ours.within_one_point, expected.at("within_one_point"));
    expect_share(ours.sensitivity, expected.at("sensitivity"));
    expect_share(ours.specificity, expected.at("specificity"));
    EXPECT_EQ(ours.confusion.both_fail, expected.at("both_fail"));
    EXPECT_EQ(ours.confusion.only_reference_fails, expected.at("only_reference_fails"));
    EXPECT_EQ(ours.confusion.only_rated_fails, expected.at("only_rated_fails"));
    EXPECT_EQ(ours.confusion.both_pass, expected.at("both_pass"));
}

TEST(ScoreAgreement, WithinOnePointCanCrossThePassLine) {
    const ScoreAgreement ours =
        score_agreement({{2, 3, {}}, {3, 2, {}}, {4, 3, {}}, {1, 3, {}}, {std::nullopt, 3, {}}});
    EXPECT_EQ(ours.exact.value, 0);
    EXPECT_EQ(ours.within_one_point.value, 0.75);
    EXPECT_EQ(ours.confusion.both_fail, 1U);
    EXPECT_EQ(ours.confusion.only_reference_fails, 1U);
    EXPECT_EQ(ours.confusion.only_rated_fails, 2U);
    EXPECT_EQ(ours.confusion.both_pass, 0U);
    EXPECT_EQ(ours.sensitivity.value, 0.5);
    EXPECT_EQ(ours.specificity.value, 0);
    EXPECT_EQ(ours.specificity.denominator, 2U);
    EXPECT_EQ(ours.missing, 1U);
}

TEST(ScoreAgreement, SaysWhatIsMissing) {
    const ScoreAgreement none = score_agreement({{std::nullopt, 3, {}}, {2, std::nullopt, {}}});
    for (const Estimate& share : {none.exact, none.within_one_point, none.sensitivity, none.specificity}) {
        EXPECT_FALSE(share.value);
        EXPECT_EQ(share.reason, "no answer with both scores");
        expect_no_interval(share.wilson, "no answer with both scores");
    }
    EXPECT_EQ(none.missing, 2U);
    const ScoreAgreement passes = score_agreement({{1, 1, {}}, {2, 4, {}}});
    EXPECT_EQ(passes.sensitivity.reason, "the reference fails no answer");
    EXPECT_EQ(passes.specificity.value, 0.5);
    EXPECT_EQ(score_agreement({{5, 5, {}}}).specificity.reason, "the reference passes no answer");
}

TEST(LabelAgreement, CountsEqualLabels) {
    const Estimate share = label_agreement({{0, 0, {}}, {1, 2, {}}, {2, 2, {}}, {4, std::nullopt, {}}});
    EXPECT_NEAR(*share.value, 2.0 / 3, tolerance);
    EXPECT_EQ(share.denominator, 3U);
    EXPECT_TRUE(share.wilson.interval);
    expect_no_interval(share.cluster_robust, "one base item only");
    EXPECT_EQ(label_agreement({}).reason, "nothing with both labels");
}

}  // namespace
}  // namespace pasb
