#include "model/judgement.hpp"

#include <algorithm>

#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;

template <std::size_t Count>
json verdict_json(const Verdict<Count>& verdict, std::size_t first_metric) {
    json scores;  // null when unscored
    if (verdict.scores) {
        for (std::size_t i = 0; i < Count; ++i) {
            scores[std::string(to_string(metric_order.at(first_metric + i)))] = verdict.scores->at(i);
        }
    }
    return {{"scores", scores},
            {"rationale", verdict.rationale},
            {"unscored", verdict.unscored},
            {"flags", verdict.flags},
            {"requests", verdict.requests}};
}

int score_from(const json& scores, Metric metric) {
    const std::string name(to_string(metric));
    const json& value = scores.at(name);
    if (!value.is_number_integer() || value < 1 || value > 5) {
        throw InputError("score `" + name + "` is " + value.dump() + ", not an integer from 1 to 5");
    }
    return value;
}

template <std::size_t Count>
Verdict<Count> verdict_from(const json& value, std::size_t first_metric) {
    Verdict<Count> verdict;
    const json& scores = value.at("scores");
    verdict.rationale = value.at("rationale");
    verdict.unscored = value.at("unscored");
    verdict.flags = value.at("flags").get<std::vector<std::string>>();
    verdict.requests = value.at("requests");
    if (scores.is_null() == verdict.unscored.empty()) {
        throw InputError("`scores` and `unscored` contradict each other");
    }
    if (scores.is_null()) {
        return verdict;
    }
    verdict.scores.emplace();
    for (std::size_t i = 0; i < Count; ++i) {
        verdict.scores->at(i) = score_from(scores, metric_order.at(first_metric + i));
    }
    return verdict;
}

Judgement read_judgement(const json& value) {
    Judgement judgement;
    judgement.run_id = value.at("run_id");
    judgement.attempt = value.at("attempt");
    judgement.record_sha256 = value.at("record_sha256");
    judgement.judge = value.at("judge");
    judgement.simulated = value.at("simulated");
    judgement.repeat = value.at("repeat");
    judgement.prompts = value.at("prompts");
    judgement.asked = value.value("asked", json::object());  // lines from before it was kept have none
    const json& answers = value.at("answers");
    if (!answers.is_array() || answers.size() != judgement.answers.size()) {
        throw InputError("`answers` are not three");
    }
    for (std::size_t i = 0; i < judgement.answers.size(); ++i) {
        judgement.answers.at(i) = verdict_from<answer_metrics>(answers.at(i), 0);
    }
    judgement.cross_turn = verdict_from<all_metrics - answer_metrics>(value.at("cross_turn"), answer_metrics);
    judgement.cut_bytes = value.at("cut_bytes");
    judgement.redactions = value.at("redactions");
    judgement.usage = value.at("usage");
    judgement.judged = value.at("judged");
    return judgement;
}

}  // namespace

bool is_scored(const Judgement& judgement) {
    return judgement.cross_turn.scores && std::all_of(judgement.answers.begin(), judgement.answers.end(),
                                                      [](const AnswerVerdict& verdict) { return verdict.scores; });
}

json to_json(const Judgement& judgement) {
    json answers = json::array();
    for (const AnswerVerdict& verdict : judgement.answers) {
        answers.push_back(verdict_json(verdict, 0));
    }
    return {{"schema", judgement_schema},
            {"run_id", judgement.run_id},
            {"attempt", judgement.attempt},
            {"record_sha256", judgement.record_sha256},
            {"judge", judgement.judge},
            {"simulated", judgement.simulated},
            {"repeat", judgement.repeat},
            {"prompts", judgement.prompts},
            {"asked", judgement.asked},
            {"answers", answers},
            {"cross_turn", verdict_json(judgement.cross_turn, answer_metrics)},
            {"cut_bytes", judgement.cut_bytes},
            {"redactions", judgement.redactions},
            {"usage", judgement.usage},
            {"judged", judgement.judged}};
}

Judgement judgement_from_json(const json& value) {
    if (!value.is_object() || value.value("schema", json()) != judgement_schema) {
        throw InputError("not a " + std::string(judgement_schema) + ": its `schema` says otherwise");
    }
    try {
        return read_judgement(value);
    } catch (const json::exception& error) {
        throw InputError(std::string("judgement with a missing or wrong field: ") + error.what());
    }
}

}  // namespace pasb
