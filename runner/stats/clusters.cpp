#include "stats/clusters.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace pasb {
namespace {

bool holds_values(const Cluster& cluster) {
    return cluster.first.count + cluster.second.count > 0;
}

}  // namespace

Cluster& Clusters::at(BaseItem base) {
    if (base.number >= rows_.size()) {
        rows_.resize(std::size_t{base.number} + 1);
    }
    Cluster& row = rows_[base.number];
    if (!holds_values(row)) {
        row.family = base.family;
    } else if (row.family != base.family) {
        throw std::invalid_argument("a base item stands in two families");
    }
    return row;
}

std::vector<Cluster> Clusters::occupied() const {
    std::vector<Cluster> rows;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(rows), holds_values);
    return rows;
}

Cluster total_of(const std::vector<Cluster>& clusters) {
    Cluster total;
    for (const Cluster& cluster : clusters) {
        total.first.add(cluster.first);
        total.second.add(cluster.second);
    }
    return total;
}

}  // namespace pasb
