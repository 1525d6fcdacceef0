#include "stats/sign_flip.hpp"

#include <vector>

#include "unit/stats/oracles.hpp"

namespace pasb {
namespace {

SignFlipTest test_of(const std::vector<double>& differences, const Resampling& resampling = {}) {
    return sign_flip_test(differences, resampling);
}

TEST(SignFlip, IsNumpysAndScipys) {
    ASSERT_EQ(oracles().at("sign_flips").size(), 8U);
    for (const auto& expected : oracles().at("sign_flips")) {
        const std::vector<double> differences = expected.at("differences");
        SCOPED_TRACE(differences.size());
        const SignFlipTest ours = test_of(differences);
        ASSERT_TRUE(ours.p_value);
        EXPECT_EQ(ours.exact, expected.at("exact"));
        EXPECT_NEAR(*ours.p_value, expected.at("p"), ours.exact ? tolerance : 0.015);
        if (!ours.exact) {
            // A million arrangements here and there: each scatters by at most 0.0005.
            EXPECT_NEAR(*test_of(differences, {.permutations = 1'000'000}).p_value, expected.at("p"), 0.002);
        }
    }
}

TEST(SignFlip, ByHand) {
    // Of the sums +-1 +-2 +-3 two are as far as 6, and four as far as the 4 of -1 + 2 + 3.
    EXPECT_EQ(test_of({1, 2, 3}).p_value, 0.25);
    EXPECT_EQ(test_of({-1, 2, 3}).p_value, 0.5);
    EXPECT_EQ(test_of({-1, -2, -3}).p_value, 0.25);
    EXPECT_EQ(test_of({0, 0}).p_value, 1);
}

TEST(SignFlip, TiesCountHoweverTheyAreRounded) {
    // In binary -0.1 - 0.1 - 0.1 + 0.1 and 0.1 - 0.1 - 0.1 - 0.1 differ in the last bit. All but the six arrangements
    // with two of each sign are as far from 0.
    EXPECT_EQ(test_of({-0.1, -0.1, -0.1, 0.1}).p_value, 10.0 / 16);
    EXPECT_EQ(test_of({-1, -1, -1, 1}).p_value, 10.0 / 16);
    EXPECT_EQ(test_of({0.1, 0.2, -0.3}).p_value, 1);
}

TEST(SignFlip, SaysHowItWasTaken) {
    const SignFlipTest all = test_of(std::vector<double>(16, 1.0));
    EXPECT_TRUE(all.exact);
    EXPECT_EQ(all.arrangements, 65536U);
    EXPECT_EQ(all.smallest_p, 1.0 / 32768);
    EXPECT_EQ(all.p_value, all.smallest_p);
    const SignFlipTest some = test_of(std::vector<double>(17, 1.0), {.permutations = 999});
    EXPECT_FALSE(some.exact);
    EXPECT_EQ(some.arrangements, 999U);
    EXPECT_EQ(some.smallest_p, 1.0 / 1000);
    EXPECT_EQ(some.p_value, some.smallest_p);
    EXPECT_EQ(test_of({1, 2, 3}).smallest_p, 0.25);
}

TEST(SignFlip, DrawsTheSameForTheSameSeedOnly) {
    const std::vector<double> differences = oracles().at("sign_flips").back().at("differences");
    EXPECT_EQ(test_of(differences, {.seed = 3}).p_value, test_of(differences, {.seed = 3}).p_value);
    EXPECT_NE(test_of(differences, {.seed = 3}).p_value, test_of(differences, {.seed = 4}).p_value);
}

TEST(SignFlip, FlipsBeyondTheFirstSixtyFour) {
    // Only the last difference is large: whichever sign it has, the sum is as far from 0.
    std::vector<double> differences(100, 0.0);
    differences.back() = 1;
    EXPECT_EQ(test_of(differences).p_value, 1);
    // All are 1: none of the random arrangements has all signs equal.
    EXPECT_EQ(test_of(std::vector<double>(100, 1.0)).p_value, 1.0 / 10000);
}

TEST(SignFlip, NeedsTwoBaseItems) {
    EXPECT_FALSE(test_of({}).p_value);
    EXPECT_EQ(test_of({}).reason, "no pairs");
    EXPECT_FALSE(test_of({3}).p_value);
    EXPECT_EQ(test_of({3}).reason, "one base item only: a sign-flip test needs two, with one p is always 1");
    EXPECT_EQ(test_of({3, 4}).reason, "");
}

}  // namespace
}  // namespace pasb
