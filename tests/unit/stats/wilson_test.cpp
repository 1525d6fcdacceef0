#include "stats/wilson.hpp"

#include <stdexcept>

#include "unit/stats/oracles.hpp"

namespace pasb {
namespace {

TEST(WilsonInterval, IsStatsmodels) {
    ASSERT_EQ(oracles().at("wilson").size(), 27U);
    for (const auto& row : oracles().at("wilson")) {
        SCOPED_TRACE(row.dump());
        expect_interval(wilson_interval(row.at("successes"), row.at("runs"), row.at("level")), row);
    }
}

TEST(WilsonInterval, NothingAndEverythingEndExactlyAtTheBounds) {
    for (std::size_t runs = 1; runs < 200; ++runs) {
        EXPECT_EQ(wilson_interval(0, runs).interval->low, 0);
        EXPECT_EQ(wilson_interval(runs, runs).interval->high, 1);
    }
}

TEST(WilsonInterval, HasNoBoundsWithoutRuns) {
    expect_no_interval(wilson_interval(0, 0), "no runs");
}

TEST(WilsonInterval, RefusesWhatCannotBe) {
    EXPECT_THROW(wilson_interval(2, 1), std::invalid_argument);
    EXPECT_THROW(wilson_interval(1, 2, 0), std::invalid_argument);
    EXPECT_THROW(wilson_interval(1, 2, 95), std::invalid_argument);
}

}  // namespace
}  // namespace pasb
