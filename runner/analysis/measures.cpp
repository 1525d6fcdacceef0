#include "analysis/measures.hpp"

#include <algorithm>
#include <cctype>

namespace pasb {
namespace {

constexpr const char* no_judged = "no judged runs";

bool has_scores(const RunFacts& run) {
    return run.judged();
}

bool is_valid(const RunFacts& run) {
    return run.three_answers;
}

std::string capitalised(std::string_view name) {
    std::string label(name);
    label.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(label.front())));
    return label;
}

int failures_of_answers(const RunFacts& run, Metric metric) {
    int failing = 0;
    for (const auto& answer : run.scores->answers) {
        failing += answer.at(static_cast<std::size_t>(metric)) >= failing_score ? 1 : 0;
    }
    return failing;
}

}  // namespace

Measure failure_of(Metric metric) {
    const std::string name(to_string(metric));
    return {name,      capitalised(name),
            true,      has_scores,
            no_judged, [metric](const RunFacts& run) { return run.scores->fails(metric) ? 1.0 : 0.0; }};
}

std::vector<Measure> six_failures() {
    std::vector<Measure> measures(metric_order.size());
    std::transform(metric_order.begin(), metric_order.end(), measures.begin(), failure_of);
    return measures;
}

Measure downstream_failure() {
    return {"df",       "DF",      false,
            has_scores, no_judged, [](const RunFacts& run) { return run.scores->downstream_failure(); }};
}

Measure average_of_six() {
    return {"avg", "Avg", false, has_scores, no_judged, [](const RunFacts& run) {
                int failing = 0;
                for (const Metric metric : metric_order) {
                    failing += run.scores->fails(metric) ? 1 : 0;
                }
                return failing / static_cast<double>(all_metrics);
            }};
}

Measure commit() {
    return {"commit", "Commit",        true,
            is_valid, "no valid runs", [](const RunFacts& run) { return run.saved() ? 1.0 : 0.0; }};
}

Measure mean_at_3(Metric metric) {
    return {"mean_at_3", "mean@3", false, has_scores, no_judged, [metric](const RunFacts& run) {
                return failures_of_answers(run, metric) / static_cast<double>(follow_up_turns);
            }};
}

Measure failure_at(Metric metric, std::size_t answer) {
    const std::string number = std::to_string(answer + 1);
    return {"answer_" + number, "answer " + number, true, has_scores, no_judged, [metric, answer](const RunFacts& run) {
                return run.scores->answers.at(answer).at(static_cast<std::size_t>(metric)) >= failing_score ? 1.0 : 0.0;
            }};
}

}  // namespace pasb
