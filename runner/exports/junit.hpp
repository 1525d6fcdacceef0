// JUnit XML of rates against thresholds: a test suite a combination, a test case a threshold. A rate that does not
// exist is an error of its case, never a pass.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "exports/rates.hpp"

namespace pasb {

struct JunitCounts {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
};

// XML 1.0 in UTF-8, whatever bytes the names hold.
JunitCounts write_junit(const std::vector<CombinationRates>& combinations, const std::vector<Threshold>& thresholds,
                        const std::function<void(std::string_view)>& sink);

}  // namespace pasb
