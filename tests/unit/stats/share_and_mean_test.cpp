#include "stats/share_and_mean.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "stats/wilson.hpp"
#include "unit/stats/oracles.hpp"

namespace pasb {
namespace {

ClusteredSample sample_of(const nlohmann::json& rows) {
    ClusteredSample sample;
    for (const auto& row : rows) {
        sample.add(row[0], {row[1], row[2]});
    }
    return sample;
}

// Two base items of each of two families; base item k has its values k times.
ClusteredSample small_sample(const std::vector<double>& values) {
    ClusteredSample sample;
    for (std::uint32_t base = 0; base < values.size(); ++base) {
        for (std::uint32_t i = 0; i <= base; ++i) {
            sample.add(values[base], {base, base % 2});
        }
    }
    return sample;
}

TEST(MeanOf, IsTheClusterRobustRegressionOfStatsmodels) {
    ASSERT_EQ(oracles().at("samples").size(), 3U);
    for (const auto& expected : oracles().at("samples")) {
        SCOPED_TRACE(expected.at("name"));
        const Estimate mean = mean_of(sample_of(expected.at("rows")), {.level = expected.at("level")});
        ASSERT_TRUE(mean.value);
        EXPECT_NEAR(*mean.value, expected.at("robust").at("value"), tolerance);
        EXPECT_EQ(mean.denominator, expected.at("rows").size());
        EXPECT_NEAR(mean.numerator, *mean.value * static_cast<double>(mean.denominator), tolerance);
        expect_interval(mean.cluster_robust, expected.at("robust"));
        expect_no_interval(mean.wilson, "not a share");
        EXPECT_FALSE(mean.p_value);
    }
}

TEST(MeanOf, HasTheBootstrapIntervalOfNumpy) {
    // Against 100,000 replicates there. The bounds of 2,000 replicates scatter by about 0.06 standard errors, those of
    // 50,000 by about 0.01; both have some three times that.
    for (const auto& expected : oracles().at("samples")) {
        SCOPED_TRACE(expected.at("name"));
        const ClusteredSample sample = sample_of(expected.at("rows"));
        const double error = expected.at("robust").at("standard_error");
        const double level = expected.at("level");
        expect_interval(mean_of(sample, {.level = level}).bootstrap, expected.at("bootstrap"), 0.2 * error);
        expect_interval(mean_of(sample, {.level = level, .replicates = 50'000}).bootstrap, expected.at("bootstrap"),
                        0.04 * error);
    }
}

TEST(MeanOf, DrawsTheSameForTheSameSeedOnly) {
    const ClusteredSample sample = sample_of(oracles().at("samples")[1].at("rows"));
    const auto low = [&](std::uint64_t seed) { return mean_of(sample, {.seed = seed}).bootstrap.interval->low; };
    EXPECT_EQ(low(5), low(5));
    EXPECT_NE(low(5), low(6));
}

TEST(MeanOf, DoesNotDependOnTheOrderOfRuns) {
    auto rows = oracles().at("samples")[1].at("rows");
    const Estimate forward = mean_of(sample_of(rows));
    std::reverse(rows.begin(), rows.end());
    const Estimate backward = mean_of(sample_of(rows));
    EXPECT_EQ(forward.value, backward.value);
    EXPECT_EQ(forward.cluster_robust.interval->low, backward.cluster_robust.interval->low);
    EXPECT_EQ(forward.bootstrap.interval->low, backward.bootstrap.interval->low);
}

TEST(MeanOf, TwoBaseItemsByHand) {
    // Mean 0.75 of three runs at 1 and one at 0. Influences (3 - 3 * 0.75) / 4 and (0 - 0.75) / 4: error
    // sqrt(2 / 1 * 3 / 3 * 2 * 0.1875^2) = 0.375; t quantile with one degree of freedom tan(0.475 pi).
    ClusteredSample sample;
    sample.add(1, {0, 0});
    sample.add(1, {0, 0});
    sample.add(1, {0, 0});
    sample.add(0, {1, 0});
    const Estimate mean = mean_of(sample);
    EXPECT_EQ(mean.value, 0.75);
    EXPECT_EQ(mean.numerator, 3);
    EXPECT_EQ(mean.denominator, 4U);
    EXPECT_EQ(mean.clusters, 2U);
    const double half = 0.375 * std::tan(0.475 * std::acos(-1.0));
    ASSERT_TRUE(mean.cluster_robust.interval);
    EXPECT_NEAR(mean.cluster_robust.interval->low, 0.75 - half, tolerance);
    EXPECT_NEAR(mean.cluster_robust.interval->high, 0.75 + half, tolerance);
    // A quarter of the replicates has the first base item twice, a quarter the second twice.
    ASSERT_TRUE(mean.bootstrap.interval);
    EXPECT_EQ(mean.bootstrap.interval->low, 0);
    EXPECT_EQ(mean.bootstrap.interval->high, 1);
}

TEST(MeanOf, ResamplesWithinFamilies) {
    // The families differ, the base items of a family do not: drawing within families cannot change the mean, although
    // the base items vary. Equal sizes, so that no family can gain runs.
    ClusteredSample sample;
    for (std::uint32_t base = 0; base < 6; ++base) {
        sample.add(base % 2, {base, base % 2});
    }
    const Estimate mean = mean_of(sample);
    EXPECT_TRUE(mean.cluster_robust.interval);
    expect_no_interval(mean.bootstrap, "no variation");
}

TEST(MeanOf, BoundsLieBetweenReplicates) {
    // Of two replicates the 2.5 % quantile is 2.5 % of the way from the lower to the higher; the means of two base
    // items are 0, 0.5 or 1.
    ClusteredSample sample;
    sample.add(0, {0, 0});
    sample.add(1, {1, 0});
    int seen = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const MaybeInterval ours = mean_of(sample, {.replicates = 2, .seed = seed}).bootstrap;
        if (ours.interval) {
            const double halves = (ours.interval->high - ours.interval->low) / (0.95 * 0.5);
            EXPECT_NEAR(halves, std::round(halves), tolerance);
            ++seen;
        }
    }
    EXPECT_GT(seen, 5);
}

TEST(MeanOf, NoRunsAreNotZero) {
    const Estimate mean = mean_of(ClusteredSample());
    EXPECT_FALSE(mean.value);
    EXPECT_EQ(mean.reason, "no runs");
    EXPECT_EQ(mean.denominator, 0U);
    expect_no_interval(mean.wilson, "no runs");
    expect_no_interval(mean.cluster_robust, "no runs");
    expect_no_interval(mean.bootstrap, "no runs");
    EXPECT_EQ(mean_of(ClusteredSample(), {}, "no saved runs").bootstrap.reason, "no saved runs");
}

TEST(MeanOf, OneBaseItemHasNoClusteredInterval) {
    ClusteredSample sample;
    sample.add(2, {4, 1});
    sample.add(5, {4, 1});
    const Estimate mean = mean_of(sample);
    EXPECT_EQ(mean.value, 3.5);
    EXPECT_EQ(mean.reason, "");
    EXPECT_EQ(mean.clusters, 1U);
    expect_no_interval(mean.cluster_robust, "one base item only");
    expect_no_interval(mean.bootstrap, "one base item only");
}

TEST(MeanOf, OneBaseItemInEachFamilyCannotBeResampled) {
    const Estimate mean = mean_of(small_sample({1, 3}));
    EXPECT_TRUE(mean.cluster_robust.interval);
    expect_no_interval(mean.bootstrap, "one base item in each family");
}

TEST(MeanOf, NoVariationIsNoCertainty) {
    // 0.1 has no exact binary form: its sums are rounded, and rounding is no variation.
    for (const double value : {0.0, 1.0, 0.1, 3.7}) {
        const Estimate mean = mean_of(small_sample(std::vector<double>(8, value)));
        EXPECT_NEAR(*mean.value, value, tolerance);
        expect_no_interval(mean.cluster_robust, "no variation");
        expect_no_interval(mean.bootstrap, "no variation");
    }
}

TEST(ShareOf, AddsWilson) {
    const auto& expected = oracles().at("samples")[0];
    const Estimate share = share_of(sample_of(expected.at("rows")));
    const Estimate mean = mean_of(sample_of(expected.at("rows")));
    EXPECT_EQ(share.value, mean.value);
    EXPECT_EQ(share.cluster_robust.interval->low, mean.cluster_robust.interval->low);
    EXPECT_EQ(share.bootstrap.interval->high, mean.bootstrap.interval->high);

    ClusteredSample half;
    for (std::uint32_t run = 0; run < 10; ++run) {
        half.add(run % 2, {0, 0});
    }
    EXPECT_EQ(share_of(half).numerator, 5);
    for (const double level : {0.9, 0.95}) {
        const MaybeInterval ours = share_of(half, {.level = level}).wilson;
        ASSERT_TRUE(ours.interval);
        EXPECT_EQ(ours.interval->low, wilson_interval(5, 10, level).interval->low);
        EXPECT_EQ(ours.interval->high, wilson_interval(5, 10, level).interval->high);
    }
}

TEST(ShareOf, EmptyHasNoWilsonAndOtherValuesAreRefused) {
    expect_no_interval(share_of(ClusteredSample()).wilson, "no runs");
    EXPECT_THROW(share_of(small_sample({0.25})), std::invalid_argument);
    EXPECT_THROW(share_of(small_sample({3})), std::invalid_argument);
    EXPECT_THROW(share_of(small_sample({-1})), std::invalid_argument);
}

TEST(ClusteredSample, ABaseItemHasOneFamily) {
    ClusteredSample sample;
    sample.add(1, {3, 0});
    EXPECT_THROW(sample.add(1, {3, 1}), std::invalid_argument);
    ASSERT_EQ(sample.clusters().size(), 1U);
    EXPECT_EQ(sample.clusters()[0].first.count, 1U);
}

}  // namespace
}  // namespace pasb
