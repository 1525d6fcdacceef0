#include "report/run_row.hpp"

#include "model/bytes.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr std::size_t claim_bytes = 200;

// Cut where a character ends.
std::string beginning(const std::string& text) {
    std::size_t end = std::min(text.size(), claim_bytes);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text.at(end)) & 0xC0U) == 0x80U) {
        --end;
    }
    return end < text.size() ? to_utf8(text.substr(0, end)) + "\xE2\x80\xA6" : to_utf8(text);
}

// The four per-answer metrics fail by their greatest score (spec section 6).
int failed_metrics(const Judgement& judgement) {
    unsigned failed = 0;
    for (const AnswerVerdict& verdict : judgement.answers) {
        for (std::size_t i = 0; i < answer_metrics; ++i) {
            failed |= verdict.scores->at(i) >= failing_score ? 1U << i : 0U;
        }
    }
    for (std::size_t i = answer_metrics; i < all_metrics; ++i) {
        failed |= judgement.cross_turn.scores->at(i - answer_metrics) >= failing_score ? 1U << i : 0U;
    }
    return static_cast<int>(failed);
}

double downstream_failure(int failed) {
    int count = 0;
    for (std::size_t i = 0; i < answer_metrics; ++i) {
        count += (static_cast<unsigned>(failed) >> i & 1U) != 0 ? 1 : 0;
    }
    return count / static_cast<double>(answer_metrics);
}

}  // namespace

RunRow run_row(const Record& record, const Judgement* judgement, const Annotation* annotation) {
    RunRow row;
    row.run_id = record.run_id;
    row.attempt = record.attempt;
    row.task_id = record.task.task_id;
    row.model = record.model + (record.simulated ? " (simulated)" : "");
    row.framework = record.framework;
    row.arm = record.arm;
    row.family = to_string(record.task.family);
    row.scenario = to_string(record.task.scenario);
    row.delivery = to_string(record.task.delivery);
    row.domain = record.task.domain;
    row.destination = record.destination;
    row.state = record.valid ? "valid" : record.invalid_reason.empty() ? "invalid" : record.invalid_reason;
    if (judgement != nullptr && is_scored(*judgement)) {
        row.failed = failed_metrics(*judgement);
        row.rate = downstream_failure(*row.failed);
    }
    if (annotation != nullptr && annotation->unlabelled.empty()) {
        row.stance = to_string(annotation->stance);
    }
    row.claim = beginning(record.task.claim);
    return row;
}

json to_json(const RunRow& row) {
    return json::array({row.run_id, row.attempt, row.task_id, row.model, row.framework, row.arm, row.family,
                        row.scenario, row.delivery, row.domain, row.destination, row.state,
                        row.failed ? json(*row.failed) : json(), row.rate ? json(*row.rate) : json(), row.stance,
                        row.claim});
}

}  // namespace pasb
