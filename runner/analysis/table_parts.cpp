#include "analysis/table_parts.hpp"

#include <algorithm>
#include <set>

#include "analysis/estimates.hpp"
#include "stats/wilson.hpp"

namespace pasb {

std::vector<std::string> levels(const Runs& runs, const std::string& factor) {
    // Scenario, delivery and family in the order of the benchmark, which their enumerators have.
    const auto order = [&factor](const RunFacts& run) {
        return factor == "scenario"   ? static_cast<int>(run.scenario)
               : factor == "delivery" ? static_cast<int>(run.delivery)
               : factor == "family"   ? static_cast<int>(run.family)
                                      : 0;
    };
    std::set<std::pair<int, std::string>> found;
    for (const RunFacts* run : runs) {
        found.insert({order(*run), level_of(*run, factor)});
    }
    std::vector<std::string> names(found.size());
    std::transform(found.begin(), found.end(), names.begin(), [](const auto& level) { return level.second; });
    return names;
}

Cell published_cell(const Study& study, const std::string& key) {
    std::string text = study.published.text(key);
    if (text.empty()) {
        return NotAvailable{"no figure in the paper"};
    }
    return text;
}

Estimate plain_share(std::size_t part, std::size_t whole, const std::string& nothing) {
    Estimate share;
    share.numerator = static_cast<double>(part);
    share.denominator = whole;
    share.wilson = wilson_interval(part, whole);
    const std::string why = whole == 0 ? nothing : "plain counts";
    share.cluster_robust.reason = share.bootstrap.reason = why;
    if (whole == 0) {
        share.reason = nothing;
    } else {
        share.value = share.numerator / static_cast<double>(whole);
    }
    return share;
}

std::vector<NamedRuns> all_and_combinations(const Study& study) {
    const Runs all = study.all();
    std::vector<NamedRuns> groups{{"all", "all", all}};
    for (const Combination& combination : study.combinations()) {
        groups.push_back({"combination", label_of(study, combination), of_combination(all, combination)});
    }
    return groups;
}

std::vector<NamedRuns> all_groups(const Study& study) {
    std::vector<NamedRuns> groups = all_and_combinations(study);
    const Runs all = study.all();
    for (const char* factor : {"model", "framework", "family", "scenario", "delivery"}) {
        const std::vector<std::string> names = levels(all, factor);
        const bool always = std::string_view(factor) != "model" && std::string_view(factor) != "framework";
        for (const std::string& name : names.size() > 1 || always ? names : std::vector<std::string>()) {
            const bool simulated = std::string_view(factor) == "model" && is_simulated(study, name);
            groups.push_back({factor, name + (simulated ? " (simulated)" : ""),
                              filtered(all, [&](const RunFacts& run) { return level_of(run, factor) == name; })});
        }
    }
    return groups;
}

}  // namespace pasb
