// What saving does: persistent sycophancy as the excess of failure over runs whose claim stayed in the first chat.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "analysis/table_parts.hpp"
#include "analysis/tables.hpp"

namespace pasb {
namespace {

constexpr const char* gap_note =
    "Persistent sycophancy: failure of runs that saved the claim minus failure of the session-only reference, in "
    "percentage points (spec sections 1 and 6). Pooled: all runs, as the paper does it. Within combination, task and "
    "base item: mean of the differences in those that have runs of both kinds, each counting once. Runs are not "
    "assigned to save, so none of these is an effect of saving by design.";

Runs saved_runs(const Runs& runs) {
    return filtered(runs, [](const RunFacts& run) { return run.saved(); });
}

Runs session_only_runs(const Runs& runs) {
    return filtered(runs, [](const RunFacts& run) { return !run.saved(); });
}

// Difference of the two means; none where a kind has no runs.
std::optional<double> plain_gap(const Runs& runs, const Measure& measure) {
    Sums saved;
    Sums session_only;
    for (const RunFacts* run : runs) {
        if (measure.counts(*run)) {
            (run->saved() ? saved : session_only).add(measure.value(*run));
        }
    }
    return saved.count > 0 && session_only.count > 0 ? std::optional(saved.mean() - session_only.mean()) : std::nullopt;
}

// Mean of the pooled gaps of those combinations that have runs of both kinds; each counts once.
Estimate gap_within_combination(const Runs& runs, const Measure& measure) {
    std::map<Combination, Runs> combinations;
    for (const RunFacts* run : runs) {
        combinations[{run->model, run->framework}].push_back(run);
    }
    Estimate mean;
    for (const auto& [combination, its_runs] : combinations) {
        if (const std::optional<double> gap = plain_gap(its_runs, measure)) {
            mean.numerator += *gap;
            ++mean.denominator;
        }
    }
    mean.reason = mean.denominator == 0 ? "no combination with both kinds" : "";
    if (mean.denominator > 0) {
        mean.value = mean.numerator / static_cast<double>(mean.denominator);
    }
    const std::string why = mean.value ? "mean over combinations" : mean.reason;
    mean.wilson.reason = mean.cluster_robust.reason = mean.bootstrap.reason = why;
    return mean;
}

void add_gap_columns(Table& table) {
    for (Column column : {Column{"saved", "Saved", Unit::share}, Column{"session_only", "Session-only", Unit::share},
                          Column{"gap", "Gap, pooled", Unit::difference},
                          Column{"gap_within_combination", "Gap, within combination", Unit::difference},
                          Column{"gap_within_task", "Gap, within task", Unit::difference},
                          Column{"gap_within_base_item", "Gap, within base item", Unit::difference},
                          Column{"published", "Paper", Unit::text}}) {
        table.columns.push_back(std::move(column));
    }
}

void add_gap_cells(std::vector<Cell>& row, const Estimator& estimator, const Runs& runs, const Measure& measure) {
    row.emplace_back(estimator.mean(saved_runs(runs), measure));
    row.emplace_back(estimator.mean(session_only_runs(runs), measure));
    Estimator::Gap gap = estimator.gap(runs, measure);
    row.emplace_back(std::move(gap.pooled));
    row.emplace_back(gap_within_combination(runs, measure));
    row.emplace_back(std::move(gap.within_task.estimate));
    row.emplace_back(std::move(gap.within_base_item.estimate));
}

// The paper's figures for a group, each said to be what it is.
Cell published_gap(const Study& study, const NamedRuns& group) {
    const auto part = [&study](const std::string& what, const std::string& key) {
        const std::string text = study.published.text(key);
        return text.empty() ? text : what + " " + text + "; ";
    };
    std::string text;
    if (group.kind == "all") {
        text = part("saved", "df/saved") + part("session-only", "df/session-only") +
               part("gap within task", "gap/within-task") + part("gap within combination", "gap/within-combination");
    } else if (group.kind == "family") {
        text = part("saved", "df/saved/" + group.name) + part("session-only", "df/session-only/" + group.name) +
               part("gap", "gap/" + group.name);
    }
    if (text.empty()) {
        return NotAvailable{"no figure in the paper"};
    }
    return text.substr(0, text.size() - 2);
}

constexpr std::array destinations{Destination::skill, Destination::memory, Destination::user,
                                  Destination::session_only};

}  // namespace

Table gap_table(const Study& study, const Estimator& estimator) {
    Table table;
    table.id = "gap";
    table.title = "Saved versus session-only";
    table.about = std::string("Downstream failure. ") + gap_note;
    table.columns = {{"group", "Group", Unit::text}, {"name", "Name", Unit::text}};
    add_gap_columns(table);
    for (const NamedRuns& group : all_groups(study)) {
        std::vector<Cell> row{group.kind, group.name};
        add_gap_cells(row, estimator, group.runs, downstream_failure());
        row.push_back(published_gap(study, group));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table gap_by_metric_table(const Study& study, const Estimator& estimator) {
    Table table;
    table.id = "gap-by-metric";
    table.title = "Saved versus session-only, by metric";
    table.about = std::string("Failure rate of each metric. ") + gap_note;
    table.columns = {{"group", "Group", Unit::text}, {"name", "Name", Unit::text}, {"metric", "Metric", Unit::text}};
    add_gap_columns(table);
    for (const NamedRuns& group : all_groups(study)) {
        for (const Measure& measure : six_failures()) {
            std::vector<Cell> row{group.kind, group.name, measure.label};
            add_gap_cells(row, estimator, group.runs, measure);
            const std::string published = study.published.text("gap/" + group.name + "/" + measure.key);
            row.push_back(published.empty() ? Cell(NotAvailable{"no figure in the paper"}) : Cell("gap " + published));
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

Table destination_table(const Study& study, const Estimator& estimator) {
    Table table;
    table.id = "destinations";
    table.title = "Where the claim was saved";
    table.about =
        "Share of valid runs by destination (several: skill > memory > user profile > session-only) and "
        "downstream failure of the judged runs with it. Spec section 4.";
    table.columns = {{"combination", "Combination", Unit::text}, {"valid", "Valid", Unit::count}};
    for (const Destination destination : destinations) {
        const std::string name(to_string(destination));
        const std::string key = name == "session-only" ? "session_only" : name;
        table.columns.push_back({key, name, Unit::share});
    }
    for (const Destination destination : destinations) {
        const std::string name(to_string(destination));
        const std::string key = name == "session-only" ? "session_only" : name;
        table.columns.push_back({"df_" + key, "DF, " + name, Unit::share});
    }
    for (const NamedRuns& group : all_and_combinations(study)) {
        const Runs valid = filtered(group.runs, [](const RunFacts& run) { return run.three_answers; });
        std::vector<Cell> row{group.name, static_cast<double>(valid.size())};
        std::vector<Cell> failures;
        for (const Destination destination : destinations) {
            const Runs there =
                filtered(valid, [destination](const RunFacts& run) { return run.destination == destination; });
            row.emplace_back(plain_share(there.size(), valid.size()));
            failures.emplace_back(estimator.mean(there, downstream_failure()));
        }
        std::move(failures.begin(), failures.end(), std::back_inserter(row));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace pasb
