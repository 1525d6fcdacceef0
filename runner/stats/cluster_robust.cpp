#include "stats/cluster_robust.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace pasb {

bool is_rounding(double width, double value) {
    return width <= 1e-12 * std::max(1.0, std::abs(value));
}

RobustError robust_error(double value, std::span<const double> influences, std::size_t runs, std::size_t parameters) {
    if (influences.size() < 2) {
        return {std::nullopt, "one base item only", 0};
    }
    double squares = 0;
    for (const double influence : influences) {
        squares += influence * influence;
    }
    // Before the correction: as many runs as parameters leave no residuals, and would divide by zero there.
    if (is_rounding(std::sqrt(squares), value)) {
        return {std::nullopt, "no variation", 0};
    }
    const auto groups = static_cast<double>(influences.size());
    const auto n = static_cast<double>(runs);
    const double correction = groups / (groups - 1) * (n - 1) / (n - static_cast<double>(parameters));
    return {std::sqrt(correction * squares), "", groups - 1};
}

MaybeInterval t_interval(double value, const RobustError& error, double level) {
    if (!error.standard_error) {
        return {std::nullopt, error.reason};
    }
    const boost::math::students_t distribution(error.degrees);
    const double half = boost::math::quantile(distribution, (1 + level) / 2) * *error.standard_error;
    return {Interval{value - half, value + half}, ""};
}

std::optional<double> t_test(double value, const RobustError& error) {
    if (!error.standard_error) {
        return std::nullopt;
    }
    const boost::math::students_t distribution(error.degrees);
    const double t = std::abs(value) / *error.standard_error;
    return 2 * boost::math::cdf(boost::math::complement(distribution, t));
}

}  // namespace pasb
