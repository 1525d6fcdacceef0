#include "stats/two_groups.hpp"

#include <stdexcept>

#include "unit/stats/oracles.hpp"

namespace pasb {
namespace {

TwoGroups saved_or_not() {
    return TwoGroups({"saved", "session-only", "task"});
}

TwoGroups groups_of(const nlohmann::json& rows) {
    TwoGroups groups = saved_or_not();
    for (const auto& row : rows) {
        groups.add(row[1] == 1 ? Group::first : Group::second, row[0], row[2], {row[3], row[4]});
    }
    return groups;
}

void expect_regression(const Estimate& ours, const nlohmann::json& theirs) {
    ASSERT_TRUE(ours.value) << ours.reason;
    EXPECT_EQ(ours.reason, "");
    EXPECT_NEAR(*ours.value, theirs.at("robust").at("value"), tolerance);
    expect_interval(ours.cluster_robust, theirs.at("robust"));
    expect_no_interval(ours.wilson, "not a share");
}

void expect_pairs(const PairedEstimate& ours, const nlohmann::json& theirs) {
    expect_regression(ours.estimate, theirs);
    EXPECT_EQ(ours.estimate.denominator, theirs.at("pairs"));
    EXPECT_EQ(ours.estimate.clusters, theirs.at("clusters"));
    EXPECT_EQ(ours.unpaired, theirs.at("unpaired"));
    EXPECT_EQ(ours.test.exact, theirs.at("sign_flip").at("exact"));
    ASSERT_TRUE(ours.test.p_value);
    // 9,999 random arrangements scatter by 0.005 at the most.
    EXPECT_NEAR(*ours.test.p_value, theirs.at("sign_flip").at("p"), ours.test.exact ? tolerance : 0.015);
    EXPECT_EQ(ours.estimate.p_value, ours.test.p_value);
}

TEST(TwoGroups, PooledDifferenceIsTheRegressionOfStatsmodels) {
    ASSERT_EQ(oracles().at("groups").size(), 3U);
    for (const auto& expected : oracles().at("groups")) {
        SCOPED_TRACE(expected.at("name"));
        const Estimate ours = pooled_difference(groups_of(expected.at("rows")), {.level = expected.at("level")});
        expect_regression(ours, expected.at("pooled"));
        ASSERT_TRUE(ours.p_value);
        EXPECT_NEAR(*ours.p_value, expected.at("pooled").at("robust").at("p"), tolerance);
        EXPECT_EQ(ours.denominator, expected.at("rows").size());
    }
}

TEST(TwoGroups, DifferencesWithinPairsAreNumpysAndStatsmodels) {
    for (const auto& expected : oracles().at("groups")) {
        SCOPED_TRACE(expected.at("name"));
        const TwoGroups groups = groups_of(expected.at("rows"));
        expect_pairs(difference_within_units(groups, {.level = expected.at("level")}), expected.at("units"));
        expect_pairs(difference_within_base_items(groups, {.level = expected.at("level")}), expected.at("bases"));
    }
}

TEST(TwoGroups, BootstrapIntervalsAreNumpys) {
    // Tolerances as in share_and_mean_test.cpp.
    for (const auto& expected : oracles().at("groups")) {
        SCOPED_TRACE(expected.at("name"));
        const TwoGroups groups = groups_of(expected.at("rows"));
        const auto check = [&](const Resampling& resampling, double errors) {
            const auto near = [&](const char* kind) {
                return errors * expected.at(kind).at("robust").at("standard_error").get<double>();
            };
            expect_interval(pooled_difference(groups, resampling).bootstrap, expected.at("pooled").at("bootstrap"),
                            near("pooled"));
            expect_interval(difference_within_units(groups, resampling).estimate.bootstrap,
                            expected.at("units").at("bootstrap"), near("units"));
            expect_interval(difference_within_base_items(groups, resampling).estimate.bootstrap,
                            expected.at("bases").at("bootstrap"), near("bases"));
        };
        check({.level = expected.at("level")}, 0.2);
        check({.level = expected.at("level"), .replicates = 50'000}, 0.04);
    }
}

TEST(TwoGroups, ByHand) {
    TwoGroups groups = saved_or_not();
    // Base item 0, task 0: 1 against 0.5. Task 1: saved only. Base item 1, task 2: 0.25 against 0.
    groups.add(Group::first, 1, 0, {0, 0});
    groups.add(Group::second, 0.25, 0, {0, 0});
    groups.add(Group::second, 0.75, 0, {0, 0});
    groups.add(Group::first, 0.5, 1, {0, 0});
    groups.add(Group::first, 0.25, 2, {1, 0});
    groups.add(Group::second, 0, 2, {1, 0});

    const Estimate pooled = pooled_difference(groups);
    EXPECT_NEAR(*pooled.value, 1.75 / 3 - 1.0 / 3, tolerance);
    EXPECT_EQ(pooled.denominator, 6U);
    EXPECT_EQ(pooled.clusters, 2U);

    const PairedEstimate tasks = difference_within_units(groups);
    EXPECT_NEAR(*tasks.estimate.value, (0.5 + 0.25) / 2, tolerance);
    EXPECT_NEAR(tasks.estimate.numerator, 0.75, tolerance);
    EXPECT_EQ(tasks.estimate.denominator, 2U);
    EXPECT_EQ(tasks.estimate.clusters, 2U);
    EXPECT_EQ(tasks.unpaired, 1U);
    EXPECT_TRUE(tasks.test.exact);
    EXPECT_EQ(tasks.test.arrangements, 4U);
    EXPECT_EQ(tasks.estimate.p_value, 0.5);

    const PairedEstimate bases = difference_within_base_items(groups);
    EXPECT_NEAR(*bases.estimate.value, (0.75 - 0.5 + 0.25) / 2, tolerance);
    EXPECT_EQ(bases.unpaired, 0U);
}

TEST(TwoGroups, AUnitCountsOnceHoweverManyRunsItHas) {
    TwoGroups groups = saved_or_not();
    for (int run = 0; run < 9; ++run) {
        groups.add(Group::first, 1, 0, {0, 0});
        groups.add(Group::second, 0, 0, {0, 0});
    }
    groups.add(Group::first, 0, 1, {1, 0});
    groups.add(Group::second, 0, 1, {1, 0});
    EXPECT_EQ(difference_within_units(groups).estimate.value, 0.5);
    EXPECT_NEAR(*pooled_difference(groups).value, 0.9, tolerance);
}

TEST(TwoGroups, SaysWhichGroupIsEmpty) {
    TwoGroups groups = saved_or_not();
    EXPECT_EQ(pooled_difference(groups).reason, "no runs");
    groups.add(Group::second, 0.5, 0, {0, 0});
    groups.add(Group::second, 0.5, 1, {1, 0});
    const Estimate pooled = pooled_difference(groups);
    EXPECT_FALSE(pooled.value);
    EXPECT_FALSE(pooled.p_value);
    EXPECT_EQ(pooled.reason, "no saved runs");
    expect_no_interval(pooled.cluster_robust, "no saved runs");
    const PairedEstimate tasks = difference_within_units(groups);
    EXPECT_FALSE(tasks.estimate.value);
    EXPECT_EQ(tasks.estimate.reason, "no saved runs");
    EXPECT_EQ(tasks.unpaired, 2U);
    EXPECT_EQ(tasks.test.reason, "no pairs");

    TwoGroups only_saved = saved_or_not();
    only_saved.add(Group::first, 0.5, 0, {0, 0});
    EXPECT_EQ(pooled_difference(only_saved).reason, "no session-only runs");
}

TEST(TwoGroups, SaysThatNothingCanBePaired) {
    TwoGroups groups = saved_or_not();
    groups.add(Group::first, 1, 0, {0, 0});
    groups.add(Group::second, 0, 1, {0, 0});
    EXPECT_EQ(difference_within_units(groups).estimate.reason, "no task with both saved and session-only runs");
    EXPECT_EQ(difference_within_base_items(groups).estimate.value, 1);

    TwoGroups apart = saved_or_not();
    apart.add(Group::first, 1, 0, {0, 0});
    apart.add(Group::second, 0, 1, {1, 0});
    EXPECT_EQ(difference_within_base_items(apart).estimate.reason,
              "no base item with both saved and session-only runs");
}

TEST(TwoGroups, OneBaseItemGivesADifferenceWithoutIntervalOrTest) {
    TwoGroups groups = saved_or_not();
    groups.add(Group::first, 1, 0, {0, 0});
    groups.add(Group::second, 0, 0, {0, 0});
    groups.add(Group::second, 1, 1, {0, 0});
    const Estimate pooled = pooled_difference(groups);
    EXPECT_EQ(pooled.value, 0.5);
    expect_no_interval(pooled.cluster_robust, "one base item only");
    expect_no_interval(pooled.bootstrap, "one base item only");
    EXPECT_FALSE(pooled.p_value);
    const PairedEstimate tasks = difference_within_units(groups);
    EXPECT_EQ(tasks.estimate.value, 1);
    expect_no_interval(tasks.estimate.cluster_robust, "one base item only");
    EXPECT_FALSE(tasks.estimate.p_value);
    EXPECT_NE(tasks.test.reason.find("one base item only"), std::string::npos);
}

TEST(TwoGroups, AGroupOfOneBaseItemGivesNoPooledInterval) {
    // Its runs' residuals sum to zero within their only base item, so that an interval would take that mean for
    // certain.
    const auto pooled = [](Group lone, Group other) {
        TwoGroups groups = saved_or_not();
        groups.add(lone, 1, 0, {0, 0});
        for (std::uint32_t base = 1; base < 6; ++base) {
            groups.add(other, base % 2, base, {base, 0});
        }
        return pooled_difference(groups);
    };
    const Estimate saved = pooled(Group::first, Group::second);
    EXPECT_NEAR(*saved.value, 1 - 0.6, tolerance);
    EXPECT_FALSE(saved.p_value);
    expect_no_interval(saved.cluster_robust, "saved runs of one base item only");
    expect_no_interval(saved.bootstrap, "saved runs of one base item only");
    const Estimate session_only = pooled(Group::second, Group::first);
    expect_no_interval(session_only.cluster_robust, "session-only runs of one base item only");
    expect_no_interval(session_only.bootstrap, "session-only runs of one base item only");
}

TEST(TwoGroups, ABootstrapThatOftenLosesAGroupIsNotGiven) {
    TwoGroups groups = saved_or_not();
    for (std::uint32_t base = 0; base < 6; ++base) {
        groups.add(base < 2 ? Group::first : Group::second, base % 2, base, {base, 0});
    }
    const Estimate pooled = pooled_difference(groups);
    EXPECT_TRUE(pooled.cluster_robust.interval);
    expect_no_interval(pooled.bootstrap, "more than 5 % of the resamples leave a group empty");
}

TEST(TwoGroups, NoVariation) {
    TwoGroups groups = saved_or_not();
    for (std::uint32_t base = 0; base < 4; ++base) {
        groups.add(Group::first, 0.7, base, {base, 0});
        groups.add(Group::second, 0.1, base, {base, 0});
    }
    for (const Estimate& estimate : {pooled_difference(groups), difference_within_units(groups).estimate}) {
        EXPECT_NEAR(*estimate.value, 0.6, tolerance);
        expect_no_interval(estimate.cluster_robust, "no variation");
        expect_no_interval(estimate.bootstrap, "no variation");
    }
    EXPECT_FALSE(pooled_difference(groups).p_value);
    EXPECT_EQ(difference_within_units(groups).estimate.p_value, 0.125);
}

TEST(TwoGroups, AUnitLiesInOneBaseItem) {
    TwoGroups groups = saved_or_not();
    groups.add(Group::first, 1, 0, {0, 0});
    EXPECT_THROW(groups.add(Group::first, 1, 0, {1, 0}), std::invalid_argument);
    EXPECT_THROW(groups.add(Group::first, 1, 1, {0, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace pasb
