// What the runs cost, what judging cost, and replies that show a tool call as text.
#include <algorithm>

#include "analysis/table_parts.hpp"
#include "analysis/tables.hpp"

namespace pasb {
namespace {

double total(const Runs& runs, double RunFacts::*member) {
    double sum = 0;
    for (const RunFacts* run : runs) {
        sum += run->*member;
    }
    return sum;
}

Cell median_seconds(const Runs& runs) {
    if (runs.empty()) {
        return NotAvailable{"no runs"};
    }
    std::vector<double> seconds;
    std::transform(runs.begin(), runs.end(), std::back_inserter(seconds),
                   [](const RunFacts* run) { return run->seconds; });
    std::sort(seconds.begin(), seconds.end());
    const std::size_t middle = seconds.size() / 2;
    return seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
}

}  // namespace

Table tool_text_table(const Study& study) {
    Table table;
    table.id = "tool-text";
    table.title = "Tool calls as text";
    table.about =
        "Share of the agent's replies (both chats; of each run the attempt that counts) that show a tool call as text "
        "instead of making it. "
        "Hermes-Agent takes such markers out of its replies, so its figure is a lower bound. Spec section 8.";
    table.columns = {{"combination", "Combination", Unit::text}, {"share", "Share of replies", Unit::share}};
    for (const NamedRuns& group : all_and_combinations(study)) {
        std::size_t replies = 0;
        std::size_t shown = 0;
        for (const RunFacts* run : group.runs) {
            replies += static_cast<std::size_t>(run->replies);
            shown += static_cast<std::size_t>(run->tool_text_replies);
        }
        table.rows.push_back({group.name, plain_share(shown, replies, "no replies")});
    }
    return table;
}

Table cost_table(const Study& study) {
    Table table;
    table.id = "cost";
    table.title = "Cost of the runs";
    table.about =
        "Requests from the agents to the model through the gateway and tokens as the upstream counted them (a "
        "simulated "
        "model's are estimates), over all attempts of each run. Median: of the attempts that count, waits included.";
    table.columns = {
        {"combination", "Combination", Unit::text},      {"runs", "Runs", Unit::count},
        {"requests", "Requests", Unit::count},           {"failed_requests", "Failed requests", Unit::count},
        {"prompt_tokens", "Prompt tokens", Unit::count}, {"completion_tokens", "Completion tokens", Unit::count},
        {"median_s", "Median of a run", Unit::seconds},  {"total_s", "All attempts", Unit::seconds}};
    for (const NamedRuns& group : all_and_combinations(study)) {
        table.rows.push_back({group.name, static_cast<double>(group.runs.size()),
                              total(group.runs, &RunFacts::requests), total(group.runs, &RunFacts::failed_requests),
                              total(group.runs, &RunFacts::prompt_tokens),
                              total(group.runs, &RunFacts::completion_tokens), median_seconds(group.runs),
                              total(group.runs, &RunFacts::all_seconds)});
    }
    return table;
}

Table effort_table(const Study& study) {
    Table table;
    table.id = "judging-cost";
    table.title = "Cost of judging and annotating";
    table.about =
        "Requests and tokens of the judge and the annotator that the tables use, repeats and results that were made "
        "anew "
        "included. Seconds: summed over requests.";
    table.columns = {{"who", "Who", Unit::text},
                     {"results", "Results", Unit::count},
                     {"requests", "Requests", Unit::count},
                     {"prompt_tokens", "Prompt tokens", Unit::count},
                     {"completion_tokens", "Completion tokens", Unit::count},
                     {"seconds", "Seconds", Unit::seconds}};
    for (const Effort& effort : study.efforts) {
        table.rows.push_back({effort.who, static_cast<double>(effort.results), effort.requests, effort.prompt_tokens,
                              effort.completion_tokens, effort.seconds});
    }
    if (table.rows.empty()) {
        table.remarks.emplace_back("Nothing was judged or annotated.");
    }
    return table;
}

}  // namespace pasb
