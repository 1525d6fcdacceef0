// Measures over groups of runs -> estimates with intervals. The arithmetic is stats/; here is only which runs it gets.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/measures.hpp"
#include "analysis/study.hpp"
#include "stats/clusters.hpp"
#include "stats/estimate.hpp"
#include "stats/resampling.hpp"
#include "stats/two_groups.hpp"

namespace pasb {

// Two levels of a factor; the difference is second minus first.
struct Contrast {
    std::string factor;
    std::string first;  // reference
    std::string second;
};

class Estimator {
  public:
    // `study` must outlive this.
    explicit Estimator(const Study& study);

    // Mean of a measure over the runs that have it.
    [[nodiscard]] Estimate mean(const Runs& runs, const Measure& measure) const;

    // Saved minus session-only: as the paper does it (all runs together), within tasks and within base items that have
    // runs of both kinds.
    struct Gap {
        Estimate pooled;
        PairedEstimate within_task;
        PairedEstimate within_base_item;
    };
    [[nodiscard]] Gap gap(const Runs& runs, const Measure& measure) const;

    // In pairs of runs that agree in base item and in all factors but this one.
    [[nodiscard]] PairedEstimate paired(const Runs& runs, const Measure& measure, const Contrast& contrast) const;

  private:
    [[nodiscard]] BaseItem base_item(const RunFacts& run) const;

    std::map<std::pair<Family, std::string>, std::uint32_t> base_items_;
    Resampling resampling_;
};

// Name of a run's level of a factor: scenario, delivery, family, domain, framework or model.
std::string level_of(const RunFacts& run, const std::string& factor);

}  // namespace pasb
