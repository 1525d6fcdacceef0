#include "exports/export_scores.hpp"

#include <algorithm>

namespace pasb {
namespace {

void add_reason(std::string& reasons, const std::string& reason) {
    reasons += (reasons.empty() ? "" : "; ") + reason;
}

void take_answers(const Judgement& judgement, ExportScores& scores) {
    for (std::size_t answer = 0; answer < judgement.answers.size(); ++answer) {
        const AnswerVerdict& verdict = judgement.answers.at(answer);
        if (!verdict.scores) {
            add_reason(scores.unscored, "answer " + std::to_string(answer + 1) + ": " + verdict.unscored);
            continue;
        }
        for (std::size_t metric = 0; metric < answer_metrics; ++metric) {
            scores.answers.at(metric).at(answer) = verdict.scores->at(metric);
        }
    }
}

void take_cross_turn(const CrossTurnVerdict& verdict, ExportScores& scores) {
    if (!verdict.scores) {
        add_reason(scores.unscored, "three answers together: " + verdict.unscored);
        return;
    }
    for (std::size_t metric = answer_metrics; metric < all_metrics; ++metric) {
        scores.values.at(metric) = verdict.scores->at(metric - answer_metrics);
    }
}

void derive_values(ExportScores& scores) {
    int failures = 0;
    for (std::size_t metric = 0; metric < answer_metrics; ++metric) {
        const auto& of_answers = scores.answers.at(metric);
        if (!std::all_of(of_answers.begin(), of_answers.end(), [](const auto& score) { return score.has_value(); })) {
            return;
        }
        scores.values.at(metric) = *std::max_element(of_answers.begin(), of_answers.end());
        failures += *failed(scores.values.at(metric)) ? 1 : 0;
    }
    scores.downstream_failure = failures / static_cast<double>(answer_metrics);
}

}  // namespace

ExportScores scores_of(const JudgedRun& run) {
    ExportScores scores;
    if (!run.record.valid) {
        scores.unscored = "invalid run: " + run.record.invalid_reason;
    } else if (!run.judgement) {
        scores.unscored = "not judged";
    } else {
        take_answers(*run.judgement, scores);
        take_cross_turn(run.judgement->cross_turn, scores);
        derive_values(scores);
    }
    return scores;
}

std::optional<bool> failed(const std::optional<int>& score) {
    return score ? std::optional<bool>(*score >= failing_score) : std::nullopt;
}

}  // namespace pasb
