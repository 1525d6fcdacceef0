#include "stats/holm.hpp"

#include <limits>
#include <stdexcept>

#include "unit/stats/oracles.hpp"

namespace pasb {
namespace {

using PValues = std::vector<std::optional<double>>;

TEST(Holm, IsStatsmodels) {
    ASSERT_EQ(oracles().at("holm").size(), 5U);
    for (const auto& family : oracles().at("holm")) {
        const std::vector<double> given = family.at("p");
        const std::vector<double> expected = family.at("adjusted");
        const PValues adjusted = holm_adjusted(PValues(given.begin(), given.end()));
        ASSERT_EQ(adjusted.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_TRUE(adjusted[i]);
            EXPECT_NEAR(*adjusted[i], expected[i], tolerance);
        }
    }
}

TEST(Holm, MissingOnesStayMissingAndDoNotCount) {
    const PValues adjusted = holm_adjusted(PValues{std::nullopt, 0.04, std::nullopt, 0.01});
    EXPECT_EQ(adjusted, (PValues{std::nullopt, 0.04, std::nullopt, 0.02}));
    EXPECT_EQ(holm_adjusted(PValues{std::nullopt}), PValues{std::nullopt});
    EXPECT_TRUE(holm_adjusted(PValues{}).empty());
}

TEST(Holm, NeverFallsAndStaysBelowOne) {
    // 3 * 0.25 = 0.75; then 2 * 0.3 = 0.6 is raised to it; then 0.9.
    EXPECT_EQ(holm_adjusted(PValues{0.3, 0.25, 0.9}), (PValues{0.75, 0.75, 0.9}));
    EXPECT_EQ(holm_adjusted(PValues{0.75, 0.8}), (PValues{1.0, 1.0}));
}

TEST(Holm, RefusesWhatIsNoProbability) {
    EXPECT_THROW(holm_adjusted(PValues{1.5}), std::invalid_argument);
    EXPECT_THROW(holm_adjusted(PValues{-0.1}), std::invalid_argument);
    EXPECT_THROW(holm_adjusted(PValues{std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
}

}  // namespace
}  // namespace pasb
