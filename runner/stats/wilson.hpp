// Wilson's score interval of a share (Wilson 1927, without continuity correction). Takes runs as independent; for runs
// of the same base item see stats/cluster_robust.hpp and stats/bootstrap.hpp.
#pragma once

#include <cstddef>

#include "stats/estimate.hpp"

namespace pasb {

// `successes` of `runs`, as fractions within 0 to 1. Reason "no runs" where there are none. Throws
// std::invalid_argument when successes > runs or the level is not within 0 and 1.
MaybeInterval wilson_interval(std::size_t successes, std::size_t runs, double level = 0.95);

}  // namespace pasb
