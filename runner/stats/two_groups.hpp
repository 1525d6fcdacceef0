// The difference between two groups of runs (saved and session-only; two levels of a factor), pooled and within pairs.
// Always first minus second. Says nothing about cause: runs are not assigned to save.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stats/clusters.hpp"
#include "stats/estimate.hpp"
#include "stats/resampling.hpp"
#include "stats/sign_flip.hpp"

namespace pasb {

enum class Group { first, second };

// For reasons: "no saved runs", "no task with both saved and session-only runs".
struct GroupNames {
    std::string first;
    std::string second;
    std::string unit;
};

// A unit is what is compared with itself: a task, or all that two runs share but for the factor. It lies within one
// base item; its numbers are given out as those of base items are. Values are finite.
class TwoGroups {
  public:
    explicit TwoGroups(GroupNames names) : names_(std::move(names)) {}

    // Throws std::invalid_argument when the unit was met in another base item, or the base item in another family.
    void add(Group group, double value, std::uint32_t unit, BaseItem base);

    struct Unit {
        BaseItem base;
        Sums first;
        Sums second;
    };
    [[nodiscard]] const GroupNames& names() const { return names_; }
    [[nodiscard]] std::vector<Cluster> clusters() const { return clusters_.occupied(); }
    [[nodiscard]] std::vector<Unit> units() const;  // those that hold values, in the order of their numbers
    [[nodiscard]] std::vector<Unit> base_items() const;

  private:
    GroupNames names_;
    Clusters clusters_;
    std::vector<Unit> units_;
};

// Difference of the two groups' means over all runs, whatever their tasks: the slope of OLS y ~ 1 + group. Robust error
// with k = 2, p-value of its t test. Denominator: runs of both groups; clusters: base items of either; numerator stays
// 0. No interval where a group has one base item only: it would lend the difference no variation.
Estimate pooled_difference(const TwoGroups& groups, const Resampling& resampling = {});

struct PairedEstimate {
    Estimate estimate;         // denominator: pairs; clusters: base items with a pair; numerator: sum of differences
    SignFlipTest test;         // its p-value is the estimate's too
    std::size_t unpaired = 0;  // units with runs in one group only; they do not count
};

// Mean, over the units with runs in both groups, of the difference between the two means in the unit. A unit counts
// once however many runs it has; a regression on group and unit dummies would weight it by n1 n2 / (n1 + n2) instead.
// Robust error of the intercept-only regression of the differences; bootstrap and sign-flip test by base item.
PairedEstimate difference_within_units(const TwoGroups& groups, const Resampling& resampling = {});

// The same with the base item as the unit: each counts once, however many tasks it has.
PairedEstimate difference_within_base_items(const TwoGroups& groups, const Resampling& resampling = {});

}  // namespace pasb
