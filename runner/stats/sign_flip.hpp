// Two-sided sign-flip permutation test of paired differences: were there no effect, each base item's difference could
// as well have had the other sign. Flips whole base items, since the pairs of one are not independent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "stats/resampling.hpp"

namespace pasb {

// Up to so many base items all 2^n arrangements of signs are taken, beyond that a random choice of them.
inline constexpr std::size_t most_enumerated = 16;

struct SignFlipTest {
    std::optional<double> p_value;
    std::string reason;            // why there is none; empty exactly when there is one
    bool exact = false;            // all arrangements were taken
    std::size_t arrangements = 0;  // taken: 2^n, or Resampling::permutations
    double smallest_p = 1;  // that could have come out: with n base items 2^(1 - n), so below 0.05 only from 6 on
};

// From each base item's sum of differences; the statistic is the sum over base items. A random choice of m arrangements
// gives (b + 1) / (m + 1), b those at least as far from 0 as the one observed. Two base items are the least: with one,
// both signs lie equally far from 0 and the p-value is 1 whatever was measured.
SignFlipTest sign_flip_test(std::span<const double> differences, const Resampling& resampling = {});

}  // namespace pasb
