// Holm's step-down adjustment of p-values for the number of tests (Holm 1979): controls the chance of any false finding
// among them, whatever their dependence.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace pasb {

// In the order given, never falling along the sorted p-values, at most 1. A missing one stays missing and does not
// count as a test. Throws std::invalid_argument for a p-value not within 0 to 1.
std::vector<std::optional<double>> holm_adjusted(std::span<const std::optional<double>> p_values);

}  // namespace pasb
