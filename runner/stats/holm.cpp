#include "stats/holm.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace pasb {

std::vector<std::optional<double>> holm_adjusted(std::span<const std::optional<double>> p_values) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p_values.size(); ++i) {
        if (!p_values[i]) {
            continue;
        }
        if (!(*p_values[i] >= 0 && *p_values[i] <= 1)) {
            throw std::invalid_argument("holm_adjusted: a p-value not within 0 to 1");
        }
        order.push_back(i);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t left, std::size_t right) { return *p_values[left] < *p_values[right]; });
    std::vector<std::optional<double>> adjusted(p_values.size());
    double highest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const double own = *p_values[order[rank]] * static_cast<double>(order.size() - rank);
        highest = std::min(1.0, std::max(highest, own));
        adjusted[order[rank]] = highest;
    }
    return adjusted;
}

}  // namespace pasb
