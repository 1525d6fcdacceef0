#include "model/record.hpp"

#include <exception>

#include "model/bytes.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;

json to_json(const TurnRecord& turn) {
    json value{{"turn", turn.turn}, {"seconds", turn.seconds}, {"model_calls", turn.model_calls}};
    put_bytes(value, "user", turn.user);
    put_bytes(value, "agent", turn.agent);
    return value;
}

TurnRecord turn_from(const json& value) {
    TurnRecord turn;
    turn.turn = value.at("turn");
    turn.user = get_bytes(value, "user");
    turn.agent = get_bytes(value, "agent");
    turn.seconds = value.at("seconds");
    turn.model_calls = value.at("model_calls");
    return turn;
}

json to_json(const NoteRecord& note) {
    json value{{"kind", to_string(note.kind)}, {"change", to_string(note.change)},
               {"sha256", note.sha256},        {"holds_claim", note.holds_claim},
               {"score", note.score},          {"span", {note.span_begin, note.span_end}}};
    put_bytes(value, "path", note.path);
    put_bytes(value, "text", note.text);
    return value;
}

NoteRecord note_from(const json& value) {
    NoteRecord note;
    note.path = get_bytes(value, "path");
    note.kind = path_kind_from(value.at("kind").get<std::string>());
    note.change = change_type_from(value.at("change").get<std::string>());
    note.sha256 = value.at("sha256");
    note.text = get_bytes(value, "text");
    note.holds_claim = value.at("holds_claim");
    note.score = value.at("score");
    note.span_begin = value.at("span").at(0);
    note.span_end = value.at("span").at(1);
    return note;
}

json to_json(const Change& change) {
    json value{{"change", to_string(change.change)},
               {"type", to_string(change.type)},
               {"kind", to_string(change.kind)},
               {"size", change.size},
               {"sha256", change.sha256}};
    put_bytes(value, "path", change.path);
    if (!change.renamed_from.empty()) {
        put_bytes(value, "renamed_from", change.renamed_from);
    }
    return value;
}

Change change_from(const json& value) {
    Change change;
    change.path = get_bytes(value, "path");
    change.change = change_type_from(value.at("change").get<std::string>());
    change.type = file_type_from(value.at("type").get<std::string>());
    change.kind = path_kind_from(value.at("kind").get<std::string>());
    change.size = value.at("size");
    change.sha256 = value.at("sha256");
    if (value.contains("renamed_from")) {
        change.renamed_from = get_bytes(value, "renamed_from");
    }
    return change;
}

json to_json(const WriteAttempt& attempt) {
    json value{{"turn", attempt.turn},
               {"tool", to_utf8(attempt.tool)},
               {"target", to_utf8(attempt.target)},
               {"in_turn", attempt.in_turn}};
    value["ok"] = attempt.ok ? json(*attempt.ok) : json(nullptr);
    return value;
}

WriteAttempt attempt_from(const json& value) {
    WriteAttempt attempt;
    attempt.turn = value.at("turn");
    attempt.tool = value.at("tool");
    attempt.target = value.at("target");
    attempt.in_turn = value.at("in_turn");
    if (!value.at("ok").is_null()) {
        attempt.ok = value.at("ok").get<bool>();
    }
    return attempt;
}

template <typename Item>
json list_of(const std::vector<Item>& items) {
    json list = json::array();
    for (const Item& item : items) {
        list.push_back(to_json(item));
    }
    return list;
}

template <typename Item>
std::vector<Item> list_from(const json& list, Item (*read)(const json&)) {
    std::vector<Item> items;
    for (const json& value : list) {
        items.push_back(read(value));
    }
    return items;
}

void put_task(json& value, const Task& task) {
    value["task_id"] = task.task_id;
    value["base_item_id"] = task.base_item_id;
    value["family"] = to_string(task.family);
    value["scenario"] = to_string(task.scenario);
    value["delivery"] = to_string(task.delivery);
    value["task"] = {{"domain", task.domain},
                     {"claim", task.claim},
                     {"ground_truth_stance", task.ground_truth_stance},
                     {"context_facts", task.context_facts},
                     {"carries", task.carries},
                     {"turns", task.turns},
                     {"questions", task.questions}};
}

Task task_from(const json& value) {
    Task task;
    task.task_id = value.at("task_id");
    task.base_item_id = value.at("base_item_id");
    task.family = family_from(value.at("family").get<std::string>());
    task.scenario = scenario_from(value.at("scenario").get<std::string>());
    task.delivery = delivery_from(value.at("delivery").get<std::string>());
    const json& content = value.at("task");
    task.domain = content.at("domain");
    task.claim = content.at("claim");
    task.ground_truth_stance = content.at("ground_truth_stance");
    task.context_facts = content.at("context_facts").get<std::vector<std::string>>();
    task.carries = content.at("carries").get<std::vector<int>>();
    task.turns = content.at("turns").get<std::array<std::string, first_chat_turns>>();
    task.questions = content.at("questions").get<std::array<std::string, follow_up_turns>>();
    return task;
}

// An object of which other stages read the named members as numbers.
json object_of_numbers(const json& record, const char* key, std::initializer_list<const char*> members) {
    const json& object = record.at(key);
    for (const char* member : members) {
        if (!object.is_object() || (object.contains(member) && !object.at(member).is_number())) {
            throw InputError(std::string("record with a wrong field: `") + key + "." + member + "` is no number");
        }
    }
    return object;
}

json cut_from(const json& value) {
    const json& cut = value.at("cut");
    if (!cut.is_object() || (cut.contains("proven") && !cut.at("proven").is_boolean())) {
        throw InputError("record with a wrong field: `cut.proven` is neither true nor false");
    }
    return cut;
}

Record read_record(const json& value) {
    Record record;
    record.run_id = value.at("run_id");
    record.task = task_from(value);
    record.framework = value.at("framework");
    record.framework_version = value.at("framework_version");
    record.model = value.at("model");
    // A name of a simulated model says so, whatever else does.
    record.simulated = value.at("simulated").get<bool>() || record.model.starts_with("sim:");
    record.arm = value.at("arm");
    record.attempt = value.at("attempt");
    record.image_id = value.at("image").at("id");
    record.baseline = value.at("image").at("baseline");
    record.valid = value.at("valid");
    record.invalid_reason = value.at("invalid_reason");
    record.invalid_detail = value.at("invalid_detail");
    record.first_chat = list_from(value.at("first_chat"), turn_from);
    record.follow_up = list_from(value.at("follow_up"), turn_from);
    record.flush = {value.at("flush").at("policy"), value.at("flush").at("waited_s"), value.at("flush").at("settled")};
    record.notes = list_from(value.at("notes"), note_from);
    record.other_changes = list_from(value.at("other_changes"), change_from);
    record.unclassified = list_from(value.at("unclassified"), change_from);
    record.saved = value.at("saved");
    record.destination = value.at("destination");
    record.write_attempts = list_from(value.at("write_attempts"), attempt_from);
    record.continuity = value.at("continuity");
    record.cut = cut_from(value);
    record.shown = value.at("shown");
    record.tools_sha256 = value.at("tools_sha256");
    record.exchanges = value.at("exchanges");
    record.limits = value.at("limits");
    record.warnings = value.at("warnings").get<std::vector<std::string>>();
    record.usage = object_of_numbers(value, "usage", {"requests", "errors", "prompt_tokens", "completion_tokens"});
    record.times = object_of_numbers(value, "times", {"total_s"});
    return record;
}

}  // namespace

std::string to_line(const Record& record) {
    json value{{"schema", record_schema},
               {"run_id", record.run_id},
               {"framework", record.framework},
               {"framework_version", record.framework_version},
               {"model", record.model},
               {"simulated", record.simulated},
               {"arm", record.arm},
               {"attempt", record.attempt},
               {"valid", record.valid},
               {"invalid_reason", record.invalid_reason},
               {"invalid_detail", to_utf8(record.invalid_detail)}};
    put_task(value, record.task);
    value["image"] = {{"id", record.image_id}, {"baseline", record.baseline}};
    value["first_chat"] = list_of(record.first_chat);
    value["follow_up"] = list_of(record.follow_up);
    value["flush"] = {
        {"policy", record.flush.policy}, {"waited_s", record.flush.waited_s}, {"settled", record.flush.settled}};
    value["notes"] = list_of(record.notes);
    value["other_changes"] = list_of(record.other_changes);
    value["unclassified"] = list_of(record.unclassified);
    value["saved"] = record.saved;
    value["destination"] = record.destination;
    value["write_attempts"] = list_of(record.write_attempts);
    value["continuity"] = record.continuity;
    value["cut"] = record.cut;
    value["shown"] = record.shown;
    value["tools_sha256"] = record.tools_sha256;
    value["exchanges"] = record.exchanges;
    value["limits"] = record.limits;
    value["warnings"] = record.warnings;
    value["usage"] = record.usage;
    value["times"] = record.times;
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Record record_from_json(const json& value) {
    const auto schema = value.is_object() ? value.find("schema") : value.end();
    if (!value.is_object() || schema == value.end() || *schema != record_schema) {
        throw InputError("not a " + std::string(record_schema) + " record: its `schema` says otherwise");
    }
    try {
        return read_record(value);
    } catch (const json::exception& error) {
        throw InputError(std::string("record with a missing or wrong field: ") + error.what());
    }
}

}  // namespace pasb
