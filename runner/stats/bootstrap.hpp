// Percentile bootstrap clustered by base item within family: each replicate draws, with replacement, as many base items
// of a family as it has, each with all its runs. A family with one base item therefore adds no width.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "stats/clusters.hpp"
#include "stats/estimate.hpp"
#include "stats/resampling.hpp"

namespace pasb {

// What is estimated, from a replicate's sums of both groups; none where the replicate has too little for it.
using Statistic = std::function<std::optional<double>(const Sums& first, const Sums& second)>;

// Bounds are quantiles of the replicates, with linear interpolation between neighbours (Hyndman and Fan's type 7, as
// numpy.quantile). Replicates without a value are left out; more than 5 % of them is a reason for no interval, and so
// are "one base item only", "one base item in each family" and "no variation".
MaybeInterval bootstrap_interval(const std::vector<Cluster>& clusters, const Statistic& statistic,
                                 const Resampling& resampling);

}  // namespace pasb
