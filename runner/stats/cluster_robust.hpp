// Standard errors that allow runs of one base item to be alike (Liang and Zeger 1986), with the CR1 correction and
// Student's t with G - 1 degrees of freedom for G base items: what statsmodels gives as
// OLS(...).fit(cov_type="cluster", use_t=True). Trust it little below some 20 base items.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "stats/estimate.hpp"

namespace pasb {

struct RobustError {
    std::optional<double> standard_error;
    std::string reason;  // "one base item only", "no variation"; empty exactly when there is an error
    double degrees = 0;  // of freedom
};

// From each base item's influence on the estimate, the sum over its runs of residual x weight (a mean of N runs weighs
// each with 1/N). `parameters` of the regression: 1 for a mean, 2 for a difference of two groups. An error of zero is
// "no variation": base items that are all alike in a sample do not prove that all base items are.
RobustError robust_error(double value, std::span<const double> influences, std::size_t runs, std::size_t parameters);

// Symmetric, so that the bounds of a share may lie outside 0 to 1.
MaybeInterval t_interval(double value, const RobustError& error, double level);

// Two-sided p-value of "the true value is 0"; none without an error.
std::optional<double> t_test(double value, const RobustError& error);

// Whether a width or error is no more than the rounding of a value of this size.
bool is_rounding(double width, double value);

}  // namespace pasb
