// A sample to a number with all its intervals. Shares are of outcomes 0 and 1; means may be of anything finite.
#pragma once

#include <string>

#include "stats/clusters.hpp"
#include "stats/estimate.hpp"
#include "stats/resampling.hpp"

namespace pasb {

// No value and no interval, all for one reason.
Estimate not_available(const std::string& reason);

// `nothing` is the reason given where the sample is empty. All runs count alike, whatever their base item.
Estimate mean_of(const ClusteredSample& sample, const Resampling& resampling = {},
                 const std::string& nothing = "no runs");

// The same with a Wilson interval. Values must be 0 or 1; throws std::invalid_argument when their sum is no count.
Estimate share_of(const ClusteredSample& sample, const Resampling& resampling = {},
                  const std::string& nothing = "no runs");

}  // namespace pasb
