#include "stats/two_groups.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "stats/bootstrap.hpp"
#include "stats/cluster_robust.hpp"
#include "stats/share_and_mean.hpp"

namespace pasb {
namespace {

std::optional<double> difference_of_means(const Sums& first, const Sums& second) {
    if (first.count == 0 || second.count == 0) {
        return std::nullopt;
    }
    return first.mean() - second.mean();
}

double influence(const Sums& own, const Sums& group) {
    return (own.sum - group.mean() * static_cast<double>(own.count)) / static_cast<double>(group.count);
}

// Why the pooled difference has no intervals although it has a value; empty: it may have.
std::string lone_base_item(const std::vector<Cluster>& clusters, const GroupNames& names) {
    const auto in_first =
        std::count_if(clusters.begin(), clusters.end(), [](const Cluster& c) { return c.first.count > 0; });
    const auto in_second =
        std::count_if(clusters.begin(), clusters.end(), [](const Cluster& c) { return c.second.count > 0; });
    if (clusters.size() == 1) {
        return "one base item only";
    }
    if (in_first == 1) {
        return names.first + " runs of one base item only";
    }
    return in_second == 1 ? names.second + " runs of one base item only" : "";
}

void add_pooled_intervals(Estimate& estimate, const std::vector<Cluster>& clusters, const Cluster& total,
                          const Resampling& resampling) {
    std::vector<double> influences;
    influences.reserve(clusters.size());
    for (const Cluster& cluster : clusters) {
        influences.push_back(influence(cluster.first, total.first) - influence(cluster.second, total.second));
    }
    const RobustError error = robust_error(*estimate.value, influences, estimate.denominator, 2);
    estimate.cluster_robust = t_interval(*estimate.value, error, resampling.level);
    estimate.p_value = t_test(*estimate.value, error);
    estimate.bootstrap = bootstrap_interval(clusters, difference_of_means, resampling);
}

PairedEstimate paired_difference(const std::vector<TwoGroups::Unit>& units, const std::string& nothing,
                                 const Resampling& resampling) {
    PairedEstimate paired;
    ClusteredSample differences;
    for (const TwoGroups::Unit& unit : units) {
        if (const std::optional<double> difference = difference_of_means(unit.first, unit.second)) {
            differences.add(*difference, unit.base);
        } else {
            ++paired.unpaired;
        }
    }
    std::vector<double> sums;
    for (const Cluster& cluster : differences.clusters()) {
        sums.push_back(cluster.first.sum);
    }
    paired.estimate = mean_of(differences, resampling, nothing);
    paired.test = sign_flip_test(sums, resampling);
    paired.estimate.p_value = paired.test.p_value;
    return paired;
}

// A group without any runs is a better reason than the missing pairs that follow from it.
std::string why_no_pairs(const TwoGroups& groups, const std::string& unit) {
    const Cluster total = total_of(groups.clusters());
    if (total.first.count == 0 && total.second.count == 0) {
        return "no runs";
    }
    if (total.first.count == 0) {
        return "no " + groups.names().first + " runs";
    }
    if (total.second.count == 0) {
        return "no " + groups.names().second + " runs";
    }
    return "no " + unit + " with both " + groups.names().first + " and " + groups.names().second + " runs";
}

}  // namespace

void TwoGroups::add(Group group, double value, std::uint32_t unit, BaseItem base) {
    if (unit >= units_.size()) {
        units_.resize(std::size_t{unit} + 1);
    }
    Unit& own = units_[unit];
    if (own.first.count + own.second.count == 0) {
        own.base = base;
    } else if (own.base.number != base.number) {
        throw std::invalid_argument("a unit lies in two base items");
    }
    Cluster& cluster = clusters_.at(base);
    (group == Group::first ? own.first : own.second).add(value);
    (group == Group::first ? cluster.first : cluster.second).add(value);
}

std::vector<TwoGroups::Unit> TwoGroups::units() const {
    std::vector<Unit> units;
    std::copy_if(units_.begin(), units_.end(), std::back_inserter(units),
                 [](const Unit& unit) { return unit.first.count + unit.second.count > 0; });
    return units;
}

std::vector<TwoGroups::Unit> TwoGroups::base_items() const {
    std::vector<Unit> units;
    for (const Cluster& cluster : clusters()) {
        const BaseItem base{static_cast<std::uint32_t>(units.size()), cluster.family};
        units.push_back({base, cluster.first, cluster.second});
    }
    return units;
}

Estimate pooled_difference(const TwoGroups& groups, const Resampling& resampling) {
    const std::vector<Cluster> clusters = groups.clusters();
    const Cluster total = total_of(clusters);
    Estimate estimate;
    estimate.value = difference_of_means(total.first, total.second);
    if (!estimate.value) {
        return not_available(why_no_pairs(groups, ""));
    }
    estimate.denominator = total.first.count + total.second.count;
    estimate.clusters = clusters.size();
    estimate.wilson.reason = "not a share";
    const std::string lone = lone_base_item(clusters, groups.names());
    if (lone.empty()) {
        add_pooled_intervals(estimate, clusters, total, resampling);
    } else {
        estimate.cluster_robust.reason = lone;
        estimate.bootstrap.reason = lone;
    }
    return estimate;
}

PairedEstimate difference_within_units(const TwoGroups& groups, const Resampling& resampling) {
    return paired_difference(groups.units(), why_no_pairs(groups, groups.names().unit), resampling);
}

PairedEstimate difference_within_base_items(const TwoGroups& groups, const Resampling& resampling) {
    return paired_difference(groups.base_items(), why_no_pairs(groups, "base item"), resampling);
}

}  // namespace pasb
