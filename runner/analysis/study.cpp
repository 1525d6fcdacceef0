#include "analysis/study.hpp"

#include <algorithm>
#include <set>

namespace pasb {

std::vector<Combination> Study::combinations() const {
    std::set<Combination> found;
    for (const auto& [combination, count] : planned) {
        found.insert(combination);
    }
    for (const RunFacts& run : runs) {
        found.insert({run.model, run.framework});
    }
    return {found.begin(), found.end()};
}

Runs Study::all() const {
    return where([](const RunFacts&) { return true; });
}

Runs Study::where(const std::function<bool(const RunFacts&)>& wanted) const {
    Runs found;
    for (const RunFacts& run : runs) {
        if (wanted(run)) {
            found.push_back(&run);
        }
    }
    return found;
}

Runs filtered(const Runs& runs, const std::function<bool(const RunFacts&)>& wanted) {
    Runs found;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(found),
                 [&wanted](const RunFacts* run) { return wanted(*run); });
    return found;
}

Runs judged(const Runs& runs) {
    return filtered(runs, [](const RunFacts& run) { return run.judged(); });
}

Runs of_combination(const Runs& runs, const Combination& combination) {
    return filtered(runs, [&combination](const RunFacts& run) {
        return run.model == combination.model && run.framework == combination.framework;
    });
}

bool is_simulated(const Study& study, const std::string& model) {
    return model.starts_with("sim:") ||
           std::any_of(study.runs.begin(), study.runs.end(),
                       [&model](const RunFacts& run) { return run.model == model && run.simulated; });
}

std::string label_of(const Study& study, const Combination& combination) {
    return combination.model + (is_simulated(study, combination.model) ? " (simulated)" : "") + " on " +
           combination.framework;
}

std::string funnel_line(const Study& study) {
    const auto count = [&study](bool (*reached)(const RunFacts&)) {
        return std::to_string(std::count_if(study.runs.begin(), study.runs.end(), reached));
    };
    std::size_t planned = 0;
    for (const auto& [combination, runs] : study.planned) {
        planned += runs;
    }
    return (study.planned.empty() ? std::string() : "planned " + std::to_string(planned) + " \u2192 ") + "started " +
           std::to_string(study.runs.size()) + " \u2192 five answers " +
           count([](const RunFacts& run) { return run.five_answers; }) + " \u2192 cut proven " +
           count([](const RunFacts& run) { return run.cut_proven; }) + " \u2192 three answers " +
           count([](const RunFacts& run) { return run.three_answers; }) + " \u2192 judged " +
           count([](const RunFacts& run) { return run.judged(); });
}

}  // namespace pasb
