#include "stats/wilson.hpp"

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <stdexcept>

namespace pasb {

MaybeInterval wilson_interval(std::size_t successes, std::size_t runs, double level) {
    if (successes > runs || !(level > 0 && level < 1)) {
        throw std::invalid_argument("wilson_interval: more successes than runs, or a level not within 0 and 1");
    }
    if (runs == 0) {
        return {std::nullopt, "no runs"};
    }
    const double z = boost::math::quantile(boost::math::normal(), (1 + level) / 2);
    const auto n = static_cast<double>(runs);
    const double share = static_cast<double>(successes) / n;
    const double shrinkage = 1 + z * z / n;
    const double centre = (share + z * z / (2 * n)) / shrinkage;
    const double half = z / shrinkage * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    // The bounds of nothing and of everything are 0 and 1, which rounding would miss.
    const double low = successes == 0 ? 0.0 : centre - half;
    const double high = successes == runs ? 1.0 : centre + half;
    return {Interval{low, high}, ""};
}

}  // namespace pasb
