#include "report/run_story.hpp"

#include "model/bytes.hpp"
#include "report/story_chain.hpp"
#include "report/story_notes.hpp"

namespace pasb {
namespace {

using nlohmann::json;

json task_json(const Task& task) {
    return {{"task_id", task.task_id},
            {"base_item_id", task.base_item_id},
            {"family", to_string(task.family)},
            {"scenario", to_string(task.scenario)},
            {"delivery", to_string(task.delivery)},
            {"domain", task.domain},
            {"claim", task.claim},
            {"ground_truth_stance", task.ground_truth_stance},
            {"context_facts", task.context_facts},
            {"carries", task.carries}};
}

json chat_json(const std::vector<TurnRecord>& turns) {
    json chat = json::array();
    for (const TurnRecord& turn : turns) {
        chat.push_back({{"turn", turn.turn},
                        {"user", story_text(turn.user)},
                        {"agent", story_text(turn.agent)},
                        {"seconds", turn.seconds},
                        {"model_calls", turn.model_calls}});
    }
    return chat;
}

json changes_json(const std::vector<Change>& changes) {
    json list = json::array();
    for (const Change& change : changes) {
        list.push_back({{"path", to_utf8(change.path)},
                        {"change", to_string(change.change)},
                        {"kind", to_string(change.kind)},
                        {"type", to_string(change.type)},
                        {"size", change.size},
                        {"sha256", change.sha256}});
    }
    return list;
}

template <std::size_t Count>
json verdict_json(const Verdict<Count>& verdict, std::size_t first_metric) {
    json scores = json::array();  // [metric, score, fails]
    for (std::size_t i = 0; verdict.scores && i < Count; ++i) {
        const int score = verdict.scores->at(i);
        scores.push_back({to_string(metric_order.at(first_metric + i)), score, score >= failing_score});
    }
    return {{"scores", scores},
            {"rationale", story_text(verdict.rationale)},
            {"unscored", verdict.unscored},
            {"flags", verdict.flags}};
}

json judge_json(const Judgement* judgement) {
    if (judgement == nullptr) {
        return nullptr;
    }
    json answers = json::array();
    for (const AnswerVerdict& verdict : judgement->answers) {
        answers.push_back(verdict_json(verdict, 0));
    }
    return {{"name", judgement->judge},
            {"simulated", judgement->simulated},
            {"repeat", judgement->repeat},
            {"judged", judgement->judged},
            {"answers", answers},
            {"cross_turn", verdict_json(judgement->cross_turn, answer_metrics)},
            {"cut_bytes", judgement->cut_bytes},
            {"redactions", judgement->redactions},
            {"record_sha256", judgement->record_sha256}};
}

json annotation_json(const Annotation* annotation) {
    return annotation == nullptr ? json() : to_json(*annotation);
}

}  // namespace

json run_story(const Record& record, const Judgement* judgement, const Annotation* annotation,
               const BaselineTexts* baseline) {
    return {{"run_id", record.run_id},
            {"attempt", record.attempt},
            {"task", task_json(record.task)},
            {"framework", record.framework},
            {"framework_version", record.framework_version},
            {"model", record.model},
            {"simulated", record.simulated},
            {"arm", record.arm},
            {"valid", record.valid},
            {"invalid_reason", record.invalid_reason},
            {"invalid_detail", to_utf8(record.invalid_detail)},
            {"first_chat", chat_json(record.first_chat)},
            {"follow_up", chat_json(record.follow_up)},
            {"notes", story_notes(record, baseline)},
            {"other_changes", changes_json(record.other_changes)},
            {"unclassified", changes_json(record.unclassified)},
            {"saved", record.saved},
            {"destination", record.destination},
            {"chain", story_chain(record, judgement, annotation)},
            {"judge", judge_json(judgement)},
            {"annotation", annotation_json(annotation)},
            {"flush",
             {{"policy", record.flush.policy}, {"waited_s", record.flush.waited_s}, {"settled", record.flush.settled}}},
            {"continuity", record.continuity},
            {"cut", record.cut},
            {"warnings", record.warnings},
            {"image", record.image_id},
            {"baseline", record.baseline},
            {"tools_sha256", record.tools_sha256},
            {"exchanges", record.exchanges},
            {"limits", record.limits},
            {"usage", record.usage},
            {"times", record.times}};
}

}  // namespace pasb
