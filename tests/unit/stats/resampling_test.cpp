#include "stats/resampling.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace pasb {
namespace {

TEST(IndexDraw, TakesTheUpperHalfOfAFairDraw) {
    std::mt19937_64 ours(42);
    std::mt19937_64 theirs(42);
    const IndexDraw draw(1000);
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(draw(ours), (theirs() >> 32U) % 1000);
    }
}

TEST(IndexDraw, SkipsDrawsThatWouldFavourLowNumbers) {
    // Of 2^32 draws those from 3 * 2^30 on are one too many round for this bound.
    constexpr std::uint32_t bound = 3U << 30U;
    std::mt19937_64 ours(7);
    std::mt19937_64 theirs(7);
    const IndexDraw draw(bound);
    int skipped = 0;
    for (int i = 0; i < 1000; ++i) {
        std::uint64_t expected = theirs() >> 32U;
        while (expected >= bound) {
            ++skipped;
            expected = theirs() >> 32U;
        }
        EXPECT_EQ(draw(ours), expected);
    }
    EXPECT_GT(skipped, 250);
}

TEST(IndexDraw, GivesEachNumberItsShare) {
    std::mt19937_64 engine(1);
    const IndexDraw draw(7);
    std::array<int, 7> counts{};
    for (int i = 0; i < 70'000; ++i) {
        ++counts.at(draw(engine));
    }
    for (const int count : counts) {
        EXPECT_NEAR(count, 10'000, 400);  // over four standard deviations
    }
}

TEST(IndexDraw, OfOneIsZeroAndOfNoneIsRefused) {
    std::mt19937_64 engine(1);
    EXPECT_EQ(IndexDraw(1)(engine), 0U);
    EXPECT_THROW(IndexDraw(0), std::invalid_argument);
}

}  // namespace
}  // namespace pasb
