#include "stats/krippendorff.hpp"

#include <iterator>
#include <map>
#include <utility>

namespace pasb {
namespace {

using Counts = std::map<int, double>;  // value -> how often

Counts counts_of(const Ratings& ratings) {
    Counts counts;
    for (const std::optional<int>& rating : ratings) {
        if (rating) {
            counts[*rating] += 1;
        }
    }
    return counts;
}

double sum_of(const Counts& counts) {
    double sum = 0;
    for (const auto& [value, count] : counts) {
        sum += count;
    }
    return sum;
}

double ordinal_distance(int low, int high, const Counts& overall) {
    double between = -(overall.at(low) + overall.at(high)) / 2;
    for (auto entry = overall.find(low); entry != overall.end() && entry->first <= high; ++entry) {
        between += entry->second;
    }
    return between;
}

// Squared distances of all pairs low < high of the values that occur.
std::map<std::pair<int, int>, double> squared_distances(const Counts& overall, Scale scale) {
    std::map<std::pair<int, int>, double> squares;
    for (const auto& [low, low_count] : overall) {
        for (auto entry = overall.upper_bound(low); entry != overall.end(); ++entry) {
            double distance = 1;
            if (scale == Scale::ordinal) {
                distance = ordinal_distance(low, entry->first, overall);
            } else if (scale == Scale::interval) {
                distance = static_cast<double>(entry->first) - static_cast<double>(low);
            }
            squares[{low, entry->first}] = distance * distance;
        }
    }
    return squares;
}

double disagreement(const Counts& counts, const std::map<std::pair<int, int>, double>& squares) {
    double sum = 0;
    for (auto low = counts.begin(); low != counts.end(); ++low) {
        for (auto high = std::next(low); high != counts.end(); ++high) {
            sum += low->second * high->second * squares.at({low->first, high->first});
        }
    }
    return sum;
}

}  // namespace

Alpha krippendorff_alpha(const std::vector<Ratings>& units, Scale scale) {
    Alpha alpha;
    Counts overall;
    std::vector<Counts> pairable;
    for (const Ratings& unit : units) {
        Counts counts = counts_of(unit);
        if (sum_of(counts) < 2) {
            continue;
        }
        for (const auto& [value, count] : counts) {
            overall[value] += count;
        }
        pairable.push_back(std::move(counts));
    }
    alpha.units = pairable.size();
    alpha.ratings = static_cast<std::size_t>(sum_of(overall));
    if (overall.size() < 2) {
        alpha.reason = overall.empty() ? "fewer than two ratings on every unit" : "no variation";
        return alpha;
    }
    const auto squares = squared_distances(overall, scale);
    double observed = 0;
    for (const Counts& counts : pairable) {
        observed += disagreement(counts, squares) / (sum_of(counts) - 1);
    }
    const double expected = disagreement(overall, squares) / (sum_of(overall) - 1);
    alpha.value = 1 - observed / expected;
    return alpha;
}

}  // namespace pasb
