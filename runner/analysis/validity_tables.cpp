// How many runs came how far, and why the others did not.
#include <algorithm>
#include <array>
#include <map>

#include "analysis/tables.hpp"

namespace pasb {
namespace {

using Reached = bool (*)(const RunFacts&);

struct Step {
    const char* key;
    const char* label;
    Reached reached;
};

constexpr std::array steps{
    Step{"five_answers", "Five answers", [](const RunFacts& run) { return run.five_answers; }},
    Step{"cut_proven", "Cut proven", [](const RunFacts& run) { return run.cut_proven; }},
    Step{"three_answers", "Three answers", [](const RunFacts& run) { return run.three_answers; }},
    Step{"judged", "Judged", [](const RunFacts& run) { return run.judged(); }},
    Step{"annotated", "Annotated", [](const RunFacts& run) { return run.three_answers && run.labels.has_value(); }},
};

double count_of(const Runs& runs, Reached reached) {
    return static_cast<double>(
        std::count_if(runs.begin(), runs.end(), [reached](const RunFacts* run) { return reached(*run); }));
}

Cell planned_cell(const Study& study, const std::vector<Combination>& combinations) {
    double planned = 0;
    for (const Combination& combination : combinations) {
        const auto found = study.planned.find(combination);
        if (found == study.planned.end()) {
            return NotAvailable{"no plan.json"};
        }
        planned += static_cast<double>(found->second);
    }
    return planned;
}

std::vector<Cell> funnel_row(const Study& study, const std::string& label, const std::vector<Combination>& combinations,
                             const Runs& runs) {
    std::vector<Cell> row{label, planned_cell(study, combinations), static_cast<double>(runs.size())};
    for (const Step& step : steps) {
        row.emplace_back(count_of(runs, step.reached));
    }
    double attempts = 0;
    for (const RunFacts* run : runs) {
        attempts += run->attempts;
    }
    row.emplace_back(attempts);
    return row;
}

// (what, reason) -> runs
using Reasons = std::map<std::pair<std::string, std::string>, double>;

Reasons reasons_of(const Runs& runs) {
    Reasons reasons;
    for (const RunFacts* run : runs) {
        if (!run->three_answers) {
            ++reasons[{"invalid", run->invalid_reason.empty() ? "incomplete record" : run->invalid_reason}];
            continue;
        }
        if (!run->scores) {
            ++reasons[{"unscored", run->unscored}];
        }
        if (!run->labels) {
            ++reasons[{"not annotated", run->unlabelled}];
        }
    }
    return reasons;
}

}  // namespace

Table funnel_table(const Study& study) {
    Table table;
    table.id = "funnel";
    table.title = "Validity funnel";
    table.about =
        "How many runs reached each step; every step includes those before it. Rates below count judged runs, Commit "
        "counts runs with three answers; nothing that is missing counts as 0. Attempts: records, repeated runs "
        "included "
        "(spec section 3).";
    table.columns = {{"combination", "Combination", Unit::text},
                     {"planned", "Planned", Unit::count},
                     {"started", "Started", Unit::count}};
    for (const Step& step : steps) {
        table.columns.push_back({step.key, step.label, Unit::count});
    }
    table.columns.push_back({"attempts", "Attempts", Unit::count});
    const std::vector<Combination> combinations = study.combinations();
    table.rows.push_back(funnel_row(study, "all", combinations, study.all()));
    for (const Combination& combination : combinations) {
        table.rows.push_back(
            funnel_row(study, label_of(study, combination), {combination}, of_combination(study.all(), combination)));
    }
    return table;
}

Table setup_table(const Study& study) {
    std::map<std::array<std::string, 5>, double> setups;
    for (const RunFacts& run : study.runs) {
        ++setups[{run.model + (run.simulated ? " (simulated)" : ""), run.framework, run.framework_version, run.image_id,
                  run.flush}];
    }
    Table table;
    table.id = "setup";
    table.title = "What was run";
    table.about = "Runs by what they were made with: a framework's version, the image digest, the flush policy.";
    table.columns = {{"model", "Model", Unit::text},     {"framework", "Framework", Unit::text},
                     {"version", "Version", Unit::text}, {"image", "Image digest", Unit::text},
                     {"flush", "Flush", Unit::text},     {"runs", "Runs", Unit::count}};
    for (const auto& [setup, runs] : setups) {
        table.rows.push_back({setup[0], setup[1], setup[2], setup[3], setup[4], runs});
    }
    return table;
}

Table invalid_table(const Study& study) {
    Table table;
    table.id = "missing";
    table.title = "What is missing, and why";
    table.about =
        "Runs that are in no rate: invalid ones (reasons: ARCHITECTURE.md, A run), those that the judge gave no "
        "usable scores for, and those without labels.";
    table.columns = {{"combination", "Combination", Unit::text},
                     {"what", "What", Unit::text},
                     {"reason", "Reason", Unit::text},
                     {"runs", "Runs", Unit::count}};
    for (const Combination& combination : study.combinations()) {
        for (const auto& [what, runs] : reasons_of(of_combination(study.all(), combination))) {
            table.rows.push_back({label_of(study, combination), what.first, what.second, runs});
        }
    }
    if (table.rows.empty()) {
        table.remarks.emplace_back("Nothing is missing.");
    }
    return table;
}

Table warning_table(const Study& study) {
    std::map<std::pair<std::string, std::string>, double> counts;
    for (const RunFacts& run : study.runs) {
        for (const std::string& warning : run.warnings) {
            ++counts[{run.framework, warning}];
        }
    }
    Table table;
    table.id = "warnings";
    table.title = "Warnings in the records";
    table.about = "By kind (configs/schemas/record.md); a record may have several of one kind.";
    table.columns = {
        {"framework", "Framework", Unit::text}, {"warning", "Warning", Unit::text}, {"count", "Count", Unit::count}};
    for (const auto& [key, count] : counts) {
        table.rows.push_back({key.first, key.second, count});
    }
    if (table.rows.empty()) {
        table.remarks.emplace_back("No record has a warning.");
    }
    return table;
}

}  // namespace pasb
