#include "stats/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>

#include "stats/cluster_robust.hpp"

namespace pasb {
namespace {

struct Family {
    std::vector<Cluster> members;
    IndexDraw draw;
};

std::vector<Family> by_family(const std::vector<Cluster>& clusters) {
    std::map<std::uint32_t, std::vector<Cluster>> members;
    for (const Cluster& cluster : clusters) {
        members[cluster.family].push_back(cluster);
    }
    std::vector<Family> families;
    for (auto& [number, list] : members) {
        const IndexDraw draw(static_cast<std::uint32_t>(list.size()));
        families.push_back({std::move(list), draw});
    }
    return families;
}

Cluster resample(const std::vector<Family>& families, std::mt19937_64& engine) {
    Cluster total;
    for (const Family& family : families) {
        for (std::size_t i = 0; i < family.members.size(); ++i) {
            const Cluster& drawn = family.members[family.draw(engine)];
            total.first.add(drawn.first);
            total.second.add(drawn.second);
        }
    }
    return total;
}

double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

MaybeInterval bootstrap_interval(const std::vector<Cluster>& clusters, const Statistic& statistic,
                                 const Resampling& resampling) {
    if (clusters.size() < 2) {
        return {std::nullopt, "one base item only"};
    }
    const std::vector<Family> families = by_family(clusters);
    if (families.size() == clusters.size()) {
        return {std::nullopt, "one base item in each family"};
    }
    std::mt19937_64 engine(resampling.seed);
    std::vector<double> values;
    values.reserve(resampling.replicates);
    for (std::size_t i = 0; i < resampling.replicates; ++i) {
        const Cluster total = resample(families, engine);
        if (const std::optional<double> value = statistic(total.first, total.second)) {
            values.push_back(*value);
        }
    }
    if (values.empty() || values.size() * 20 < resampling.replicates * 19) {
        return {std::nullopt, "more than 5 % of the resamples leave a group empty"};
    }
    std::sort(values.begin(), values.end());
    const Interval interval{quantile(values, (1 - resampling.level) / 2), quantile(values, (1 + resampling.level) / 2)};
    if (is_rounding(interval.high - interval.low, interval.high)) {
        return {std::nullopt, "no variation"};
    }
    return {interval, ""};
}

}  // namespace pasb
