#include "analysis/estimates.hpp"

#include <stdexcept>

#include "stats/share_and_mean.hpp"

namespace pasb {
namespace {

// Gives out numbers for names, from 0.
class Numbers {
  public:
    std::uint32_t of(const std::string& name) {
        return numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }

  private:
    std::map<std::string, std::uint32_t> numbers_;
};

// All that two runs of a pair share.
std::string pair_key(const RunFacts& run, const std::string& factor) {
    std::string key(to_string(run.family));
    key += "\n" + run.base_item;
    for (const char* other : {"scenario", "delivery", "framework", "model"}) {
        key += "\n" + (factor == other ? std::string() : level_of(run, other));
    }
    return key;
}

}  // namespace

std::string level_of(const RunFacts& run, const std::string& factor) {
    if (factor == "scenario") {
        return std::string(to_string(run.scenario));
    }
    if (factor == "delivery") {
        return std::string(to_string(run.delivery));
    }
    if (factor == "family") {
        return std::string(to_string(run.family));
    }
    if (factor == "domain") {
        return run.domain;
    }
    if (factor == "framework") {
        return run.framework;
    }
    if (factor == "model") {
        return run.model;
    }
    throw std::invalid_argument("no factor '" + factor + "'");
}

Estimator::Estimator(const Study& study) {
    for (const RunFacts& run : study.runs) {
        base_items_.try_emplace({run.family, run.base_item}, static_cast<std::uint32_t>(base_items_.size()));
    }
    resampling_.seed = study.seed;
    resampling_.replicates = study.replicates;
}

BaseItem Estimator::base_item(const RunFacts& run) const {
    return {base_items_.at({run.family, run.base_item}), static_cast<std::uint32_t>(run.family)};
}

Estimate Estimator::mean(const Runs& runs, const Measure& measure) const {
    ClusteredSample sample;
    for (const RunFacts* run : runs) {
        if (measure.counts(*run)) {
            sample.add(measure.value(*run), base_item(*run));
        }
    }
    return measure.is_share ? share_of(sample, resampling_, measure.nothing)
                            : mean_of(sample, resampling_, measure.nothing);
}

Estimator::Gap Estimator::gap(const Runs& runs, const Measure& measure) const {
    TwoGroups groups({"saved", "session-only", "task"});
    Numbers tasks;
    for (const RunFacts* run : runs) {
        if (measure.counts(*run)) {
            groups.add(run->saved() ? Group::first : Group::second, measure.value(*run),
                       tasks.of(std::string(to_string(run->family)) + "\n" + run->base_item + "\n" + run->task_id),
                       base_item(*run));
        }
    }
    return {pooled_difference(groups, resampling_), difference_within_units(groups, resampling_),
            difference_within_base_items(groups, resampling_)};
}

PairedEstimate Estimator::paired(const Runs& runs, const Measure& measure, const Contrast& contrast) const {
    TwoGroups groups({contrast.second, contrast.first, "pair"});
    Numbers pairs;
    for (const RunFacts* run : runs) {
        const std::string level = level_of(*run, contrast.factor);
        if (measure.counts(*run) && (level == contrast.first || level == contrast.second)) {
            groups.add(level == contrast.second ? Group::first : Group::second, measure.value(*run),
                       pairs.of(pair_key(*run, contrast.factor)), base_item(*run));
        }
    }
    return difference_within_units(groups, resampling_);
}

}  // namespace pasb
