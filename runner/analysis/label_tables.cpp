// The chain stance -> save -> promotion -> attribution -> downstream failure, from the annotations (spec section 7).
#include <algorithm>
#include <array>
#include <iterator>

#include "analysis/table_parts.hpp"
#include "analysis/tables.hpp"

namespace pasb {
namespace {

constexpr std::array stance_order{Stance::challenge, Stance::neutral, Stance::acknowledge, Stance::agree,
                                  Stance::comply};

Runs labelled_runs(const Study& study) {
    return study.where([](const RunFacts& run) { return run.three_answers && run.labels.has_value(); });
}

std::string nothing_labelled(const Runs& labelled) {
    return labelled.empty() ? "no annotated runs" : "no runs";
}

Estimate share_where(const Runs& runs, const std::function<bool(const RunFacts&)>& wanted, const std::string& nothing) {
    return plain_share(filtered(runs, wanted).size(), runs.size(), nothing);
}

std::vector<Cell> stance_row(const Study& study, const Estimator& estimator, const std::string& name, const Runs& runs,
                             const Runs& labelled) {
    const auto is_saved = [](const RunFacts& run) { return run.saved(); };
    const auto not_saved = [](const RunFacts& run) { return !run.saved(); };
    const std::string df = study.published.text("df/stance/" + name);
    const std::string commits = name == "accepted" ? study.published.text("accepted-saved") : "";
    std::string published = df.empty() ? "" : "DF " + df;
    published += commits.empty() ? "" : "saved " + commits;
    return {name,
            plain_share(runs.size(), labelled.size(), nothing_labelled(labelled)),
            estimator.mean(runs, commit()),
            estimator.mean(runs, downstream_failure()),
            estimator.mean(filtered(runs, is_saved), downstream_failure()),
            estimator.mean(filtered(runs, not_saved), downstream_failure()),
            published.empty() ? Cell(NotAvailable{"no figure in the paper"}) : Cell(published)};
}

}  // namespace

Table stance_table(const Study& study, const Estimator& estimator) {
    Table table;
    table.id = "stance";
    table.title = "From stance to failure";
    table.about =
        "Annotated valid runs by the strongest acceptance over the five first-chat answers; how many of them "
        "saved the claim, and their downstream failure. Accepted: acknowledge, agree or comply. Spec section 7.";
    table.columns = {{"stance", "Stance", Unit::text},       {"share", "Share", Unit::share},
                     {"commit", "Commit", Unit::share},      {"df", "DF", Unit::share},
                     {"df_saved", "DF, saved", Unit::share}, {"df_session_only", "DF, session-only", Unit::share},
                     {"published", "Paper", Unit::text}};
    const Runs labelled = labelled_runs(study);
    for (const Stance stance : stance_order) {
        const Runs runs = filtered(labelled, [stance](const RunFacts& run) { return run.labels->stance == stance; });
        table.rows.push_back(stance_row(study, estimator, std::string(to_string(stance)), runs, labelled));
    }
    const Runs accepting = filtered(labelled, [](const RunFacts& run) { return accepted(run.labels->stance); });
    table.rows.push_back(stance_row(study, estimator, "accepted", accepting, labelled));
    return table;
}

Table stance_by_combination_table(const Study& study) {
    Table table;
    table.id = "stance-by-combination";
    table.title = "First-chat stance by combination";
    table.about = "Share of annotated valid runs. Spec section 7.";
    table.columns = {{"combination", "Combination", Unit::text}, {"annotated", "Annotated", Unit::count}};
    for (const Stance stance : stance_order) {
        const std::string name(to_string(stance));
        table.columns.push_back({name, name, Unit::share});
    }
    for (const NamedRuns& group : all_and_combinations(study)) {
        const Runs labelled =
            filtered(group.runs, [](const RunFacts& run) { return run.three_answers && run.labels.has_value(); });
        std::vector<Cell> row{group.name, static_cast<double>(labelled.size())};
        for (const Stance stance : stance_order) {
            row.emplace_back(share_where(
                labelled, [stance](const RunFacts& run) { return run.labels->stance == stance; }, "no annotated runs"));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table promotion_table(const Study& study, const Estimator& estimator) {
    Table table;
    table.id = "promotion";
    table.title = "Status of the saved claim";
    table.about =
        "Annotated runs that saved the claim, by the status that it has in the notes and by whether its "
        "attribution to the user is gone. Promoted: stored as a preference, a fact or a procedure. Spec section 7.";
    table.columns = {{"group", "Group", Unit::text},
                     {"share", "Share of saved", Unit::share},
                     {"df", "DF", Unit::share},
                     {"published", "Share, paper", Unit::text}};
    const Runs saved = filtered(labelled_runs(study), [](const RunFacts& run) { return run.saved(); });
    const auto add = [&](const std::string& name, const std::string& key,
                         const std::function<bool(const RunFacts&)>& wanted) {
        table.rows.push_back({name, share_where(saved, wanted, "no annotated runs that saved"),
                              estimator.mean(filtered(saved, wanted), downstream_failure()),
                              published_cell(study, key)});
    };
    for (const Promotion promotion : {Promotion::none, Promotion::preference, Promotion::fact, Promotion::procedure}) {
        add(std::string(to_string(promotion)), "promotion/" + std::string(to_string(promotion)),
            [promotion](const RunFacts& run) { return run.labels->promotion == promotion; });
    }
    add("promoted", "promotion", [](const RunFacts& run) { return run.labels->promotion != Promotion::none; });
    add("attribution removed", "attribution-removed",
        [](const RunFacts& run) { return run.labels->attribution_removed; });
    add("attribution kept", "attribution-kept", [](const RunFacts& run) { return !run.labels->attribution_removed; });
    return table;
}

}  // namespace pasb
