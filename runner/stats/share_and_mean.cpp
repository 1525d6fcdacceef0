#include "stats/share_and_mean.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "stats/bootstrap.hpp"
#include "stats/cluster_robust.hpp"
#include "stats/wilson.hpp"

namespace pasb {
namespace {

std::optional<double> mean_of_first(const Sums& first, const Sums& /*second*/) {
    return first.mean();
}

}  // namespace

Estimate not_available(const std::string& reason) {
    Estimate estimate;
    estimate.reason = reason;
    estimate.wilson.reason = reason;
    estimate.cluster_robust.reason = reason;
    estimate.bootstrap.reason = reason;
    return estimate;
}

Estimate mean_of(const ClusteredSample& sample, const Resampling& resampling, const std::string& nothing) {
    const std::vector<Cluster> clusters = sample.clusters();
    if (clusters.empty()) {
        return not_available(nothing);
    }
    const Sums total = total_of(clusters).first;
    const double mean = total.mean();
    std::vector<double> influences;
    influences.reserve(clusters.size());
    for (const Cluster& cluster : clusters) {
        const double expected = mean * static_cast<double>(cluster.first.count);
        influences.push_back((cluster.first.sum - expected) / static_cast<double>(total.count));
    }
    Estimate estimate;
    estimate.value = mean;
    estimate.numerator = total.sum;
    estimate.denominator = total.count;
    estimate.clusters = clusters.size();
    estimate.wilson.reason = "not a share";
    estimate.cluster_robust = t_interval(mean, robust_error(mean, influences, total.count, 1), resampling.level);
    estimate.bootstrap = bootstrap_interval(clusters, mean_of_first, resampling);
    return estimate;
}

Estimate share_of(const ClusteredSample& sample, const Resampling& resampling, const std::string& nothing) {
    Estimate estimate = mean_of(sample, resampling, nothing);
    if (!estimate.value) {
        return estimate;
    }
    const double count = estimate.numerator;
    if (count < 0 || count != std::floor(count)) {
        throw std::invalid_argument("share_of: values other than 0 and 1");
    }
    estimate.wilson = wilson_interval(static_cast<std::size_t>(count), estimate.denominator, resampling.level);
    return estimate;
}

}  // namespace pasb
