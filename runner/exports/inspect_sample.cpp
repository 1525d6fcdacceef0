#include "exports/inspect_sample.hpp"

#include "model/bytes.hpp"

namespace pasb {
namespace {

using nlohmann::json;

std::int64_t whole_or_zero(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

json known(const json& object, const char* key) {
    return object.is_object() && object.contains(key) ? object.at(key) : json();
}

json user_message(const std::string& text, const char* chat, int turn) {
    return {{"role", "user"}, {"content", to_utf8(text)}, {"metadata", {{"chat", chat}, {"turn", turn}}}};
}

json agent_message(const Record& record, const TurnRecord& turn, const char* chat) {
    return {{"role", "assistant"},
            {"content", to_utf8(turn.agent)},
            {"model", inspect_model(record)},
            {"metadata",
             {{"chat", chat}, {"turn", turn.turn}, {"seconds", turn.seconds}, {"model_calls", turn.model_calls}}}};
}

void add_chat(json& messages, const Record& record, const std::vector<TurnRecord>& turns, const char* chat) {
    for (const TurnRecord& turn : turns) {
        messages.push_back(user_message(turn.user, chat, turn.turn));
        messages.push_back(agent_message(record, turn, chat));
    }
}

// Neither user nor agent said it, and no model saw it.
json cut_message(const Record& record) {
    std::string crossed;
    for (const json& path : known(record.cut, "crossed")) {
        crossed += (crossed.empty() ? "" : ", ") + (path.is_string() ? path.get<std::string>() : path.dump());
    }
    const json proven = known(record.cut, "proven");
    const std::string text =
        "[PASB: THE CUT. The first chat ends here; its conversation is gone. The follow-up chat below is a new session "
        "in a fresh container. Notes that crossed: " +
        (crossed.empty() ? "none" : crossed) + ". Cut proven: " + (proven == json(true) ? "yes" : "no") +
        ". This marker is part of neither chat.]";
    return {{"role", "system"}, {"content", to_utf8(text)}, {"metadata", {{"chat", "cut"}, {"marker", true}}}};
}

json messages_of(const Record& record) {
    json messages = json::array();
    add_chat(messages, record, record.first_chat, "first");
    if (!record.cut.empty() || !record.follow_up.empty()) {
        messages.push_back(cut_message(record));
    }
    add_chat(messages, record, record.follow_up, "follow-up");
    return messages;
}

std::string input_of(const Task& task) {
    std::string text = "Claim: " + task.claim + "\n\nQuestions of the follow-up chat:";
    for (std::size_t i = 0; i < task.questions.size(); ++i) {
        text += "\n" + std::to_string(i + 1) + ". " + task.questions.at(i);
    }
    return to_utf8(text);
}

json output_of(const Record& record) {
    json output{{"model", inspect_model(record)}, {"choices", json::array()}, {"completion", ""}};
    if (!record.follow_up.empty()) {
        const TurnRecord& last = record.follow_up.back();
        output["choices"] = {{{"message", agent_message(record, last, "follow-up")}, {"stop_reason", "unknown"}}};
        output["completion"] = to_utf8(last.agent);
    }
    return output;
}

json notes_of(const Record& record) {
    json notes = json::array();
    for (const NoteRecord& note : record.notes) {
        notes.push_back({{"path", to_utf8(note.path)},
                         {"kind", to_string(note.kind)},
                         {"change", to_string(note.change)},
                         {"holds_claim", note.holds_claim},
                         {"score", note.score},
                         {"sha256", note.sha256},
                         {"text", to_utf8(note.text)}});
    }
    return notes;
}

json annotation_of(const std::optional<Annotation>& annotation) {
    if (!annotation) {
        return {};
    }
    const bool labelled = annotation->unlabelled.empty();
    return {{"annotator", to_utf8(annotation->annotator)},
            {"simulated", annotation->simulated},
            {"unlabelled", annotation->unlabelled},
            {"stance", labelled ? json(to_string(annotation->stance)) : json()},
            {"role_upgrade", labelled ? json(to_string(annotation->role_upgrade)) : json()},
            {"attribution_removed", labelled ? json(annotation->attribution_removed) : json()},
            {"notes", to_utf8(annotation->notes)}};
}

// Saving and evidence of an attempt that broke off are no finding: null.
json metadata_of(const JudgedRun& run, const ExportScores& scores) {
    const Record& record = run.record;
    const auto finding = [&record](json value) { return record.valid ? std::move(value) : json(); };
    return {{"task_id", record.task.task_id},
            {"base_item", record.task.base_item_id},
            {"family", to_string(record.task.family)},
            {"scenario", to_string(record.task.scenario)},
            {"delivery", to_string(record.task.delivery)},
            {"domain", record.task.domain},
            {"framework", record.framework},
            {"framework_version", record.framework_version},
            {"arm", record.arm},
            {"attempt", record.attempt},
            {"simulated", record.simulated},
            {"valid", record.valid},
            {"saved", finding(record.saved)},
            {"destination", finding(record.destination)},
            {"cut_proven", finding(known(record.cut, "proven"))},
            {"shown_automatic", finding(known(record.shown, "automatic"))},
            {"shown_by_tool", finding(known(record.shown, "by_tool"))},
            {"image_id", record.image_id},
            {"judge", run.judgement ? json(to_utf8(run.judgement->judge)) : json()},
            {"judge_simulated", run.judgement ? json(run.judgement->simulated) : json()},
            {"unscored", to_utf8(scores.unscored)},
            {"annotation", annotation_of(run.annotation)},
            {"warnings", record.warnings},
            {"notes", notes_of(record)}};
}

std::string rationale_of(const Judgement& judgement, std::size_t metric) {
    if (metric >= answer_metrics) {
        return to_utf8(judgement.cross_turn.rationale);
    }
    std::string text;
    for (std::size_t answer = 0; answer < judgement.answers.size(); ++answer) {
        text += (answer == 0 ? "Answer " : "\n\nAnswer ") + std::to_string(answer + 1) + ": " +
                judgement.answers.at(answer).rationale;
    }
    return to_utf8(text);
}

json score(json value, const json& explanation, json metadata) {
    return {{"value", std::move(value)},
            {"explanation", explanation},
            {"metadata", std::move(metadata)},
            {"history", json::array()}};
}

void add_metric(json& all, const Judgement& judgement, const ExportScores& scores, std::size_t metric) {
    const std::optional<int>& value = scores.values.at(metric);
    if (!value) {
        return;
    }
    const std::string name(to_string(metric_order.at(metric)));
    json metadata{{"judge", to_utf8(judgement.judge)}, {"failed", *failed(value)}};
    if (metric < answer_metrics) {
        metadata["answers"] = json::array();
        for (const std::optional<int>& answer : scores.answers.at(metric)) {
            metadata["answers"].push_back(*answer);
        }
    }
    all[name] = score(*value, rationale_of(judgement, metric), metadata);
    all[name + "_failed"] = score(*failed(value), json(), json());
}

// What has no score is not there; 0 would be one.
json scores_json(const JudgedRun& run, const ExportScores& scores) {
    json all = json::object();
    if (!run.record.valid) {
        return all;
    }
    all["saved"] = score(run.record.saved, "destination: " + run.record.destination, json());
    if (!run.judgement) {
        return all;
    }
    for (std::size_t metric = 0; metric < all_metrics; ++metric) {
        add_metric(all, *run.judgement, scores, metric);
    }
    if (scores.downstream_failure) {
        all["downstream_failure"] = score(*scores.downstream_failure, json(), json());
    }
    return all;
}

void put_times(json& sample, const Record& record) {
    for (const auto& [ours, theirs] : {std::pair("started", "started_at"), std::pair("ended", "completed_at")}) {
        const json value = known(record.times, ours);
        if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
            sample[theirs] = value;
        }
    }
    const json total = known(record.times, "total_s");
    if (total.is_number()) {
        sample["total_time"] = total;
    }
}

}  // namespace

std::string inspect_model(const Record& record) {
    return "pasb/" + to_utf8(record.model);
}

const std::vector<std::string>& inspect_score_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"downstream_failure"};
        for (const char* const ending : {"_failed", ""}) {
            for (const Metric metric : metric_order) {
                all.push_back(std::string(to_string(metric)) + ending);
            }
        }
        all.emplace_back("saved");
        return all;
    }();
    return names;
}

json inspect_usage(const Record& record) {
    const std::int64_t input = whole_or_zero(record.usage, "prompt_tokens");
    const std::int64_t output = whole_or_zero(record.usage, "completion_tokens");
    return {{"input_tokens", input}, {"output_tokens", output}, {"total_tokens", input + output}};
}

json inspect_sample(const JudgedRun& run, const ExportScores& scores) {
    const Record& record = run.record;
    json sample{{"id", to_utf8(record.run_id)},
                {"epoch", 1},
                {"input", input_of(record.task)},
                {"target", to_utf8(record.task.ground_truth_stance)},
                {"messages", messages_of(record)},
                {"output", output_of(record)},
                {"scores", scores_json(run, scores)},
                {"metadata", metadata_of(run, scores)},
                {"store", json::object()},
                {"events", json::array()},
                {"model_usage", {{inspect_model(record), inspect_usage(record)}}},
                {"role_usage", json::object()},
                {"attachments", json::object()}};
    put_times(sample, record);
    if (!record.valid) {
        sample["error"] = {{"message", to_utf8(record.invalid_reason + ": " + record.invalid_detail)},
                           {"traceback", ""},
                           {"traceback_ansi", ""}};
    }
    return sample;
}

json inspect_summary(const json& sample) {
    json summary{{"completed", true}, {"message_count", sample.at("messages").size()}};
    for (const char* const key :
         {"id", "epoch", "input", "target", "model_usage", "role_usage", "started_at", "completed_at", "total_time"}) {
        if (sample.contains(key)) {
            summary[key] = sample.at(key);
        }
    }
    summary["metadata"] = sample.at("metadata");
    for (const char* const big : {"notes", "warnings"}) {
        summary["metadata"].erase(big);
    }
    summary["scores"] = json::object();
    for (const auto& [name, value] : sample.at("scores").items()) {
        summary["scores"][name] = {{"value", value.at("value")}, {"history", json::array()}};
    }
    if (sample.contains("error")) {
        summary["error"] = sample.at("error").at("message");
    }
    return summary;
}

}  // namespace pasb
