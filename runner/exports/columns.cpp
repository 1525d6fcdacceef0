#include "exports/columns.hpp"

#include "model/bytes.hpp"

namespace pasb {
namespace {

using nlohmann::json;

json text(std::string_view bytes) {
    return to_utf8(bytes);
}

template <typename Value>
json or_null(const std::optional<Value>& value) {
    return value ? json(*value) : json();
}

// A member that older or failed records may lack.
json member(const json& object, const char* key, json::value_t type) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->type() == type ? *found : json();
}

json text_member(const json& object, const char* key) {
    return member(object, key, json::value_t::string);
}

json real_member(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_number() ? json(found->get<double>()) : json();
}

json whole_member(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_number_integer() ? json(found->get<std::int64_t>())
                                                                                     : json();
}

class RunColumns {
  public:
    std::vector<Column<RunView>> take() {
        add_factors();
        add_outcome();
        add_scores();
        add_labels();
        add_cost();
        return std::move(columns_);
    }

  private:
    using Cell = std::function<json(const RunView&)>;

    void add(std::string name, ColumnType type, Cell cell) {
        columns_.push_back({std::move(name), type, std::move(cell)});
    }
    // Of a record.
    void add(std::string name, ColumnType type, std::function<json(const Record&)> cell, bool only_valid) {
        add(std::move(name), type, [cell = std::move(cell), only_valid](const RunView& view) {
            return only_valid && !view.run.record.valid ? json() : cell(view.run.record);
        });
    }

    void add_factors() {
        const auto type = ColumnType::text;
        add(
            "run_id", type, [](const Record& record) { return text(record.run_id); }, false);
        add(
            "attempt", ColumnType::whole, [](const Record& record) { return json(record.attempt); }, false);
        add(
            "framework", type, [](const Record& record) { return text(record.framework); }, false);
        add(
            "framework_version", type, [](const Record& record) { return text(record.framework_version); }, false);
        add(
            "model", type, [](const Record& record) { return text(record.model); }, false);
        add(
            "simulated", ColumnType::boolean, [](const Record& record) { return json(record.simulated); }, false);
        add(
            "arm", type, [](const Record& record) { return text(record.arm); }, false);
        add(
            "image_id", type, [](const Record& record) { return text(record.image_id); }, false);
        add(
            "task_id", type, [](const Record& record) { return text(record.task.task_id); }, false);
        add(
            "base_item_id", type, [](const Record& record) { return text(record.task.base_item_id); }, false);
        add(
            "family", type, [](const Record& record) { return text(to_string(record.task.family)); }, false);
        add(
            "scenario", type, [](const Record& record) { return text(to_string(record.task.scenario)); }, false);
        add(
            "delivery", type, [](const Record& record) { return text(to_string(record.task.delivery)); }, false);
        add(
            "domain", type, [](const Record& record) { return text(record.task.domain); }, false);
        add(
            "claim", type, [](const Record& record) { return text(record.task.claim); }, false);
        add(
            "ground_truth_stance", type, [](const Record& record) { return text(record.task.ground_truth_stance); },
            false);
    }

    // What an attempt that broke off says of saving and evidence is not a finding, so it is null.
    void add_outcome() {
        const auto boolean = ColumnType::boolean;
        add(
            "valid", boolean, [](const Record& record) { return json(record.valid); }, false);
        add(
            "invalid_reason", ColumnType::text, [](const Record& record) { return text(record.invalid_reason); },
            false);
        add(
            "saved", boolean, [](const Record& record) { return json(record.saved); }, true);
        add(
            "destination", ColumnType::text, [](const Record& record) { return text(record.destination); }, true);
        add(
            "notes_changed", ColumnType::whole, [](const Record& record) { return json(record.notes.size()); }, true);
        add(
            "cut_proven", boolean,
            [](const Record& record) { return member(record.cut, "proven", json::value_t::boolean); }, true);
        add(
            "shown_automatic", boolean,
            [](const Record& record) { return member(record.shown, "automatic", json::value_t::boolean); }, true);
        add(
            "shown_by_tool", boolean,
            [](const Record& record) { return member(record.shown, "by_tool", json::value_t::boolean); }, true);
    }

    void add_scores() {
        add("judge", ColumnType::text,
            [](const RunView& view) { return view.run.judgement ? text(view.run.judgement->judge) : json(); });
        add("judge_simulated", ColumnType::boolean,
            [](const RunView& view) { return view.run.judgement ? json(view.run.judgement->simulated) : json(); });
        add("unscored", ColumnType::text, [](const RunView& view) { return text(view.scores.unscored); });
        for (std::size_t metric = 0; metric < answer_metrics; ++metric) {
            for (std::size_t answer = 0; answer < follow_up_turns; ++answer) {
                add(std::string(to_string(metric_order.at(metric))) + "_" + std::to_string(answer + 1),
                    ColumnType::whole, [metric, answer](const RunView& view) {
                        return or_null(view.scores.answers.at(metric).at(answer));
                    });
            }
        }
        for (std::size_t metric = 0; metric < all_metrics; ++metric) {
            const std::string name(to_string(metric_order.at(metric)));
            add(name, ColumnType::whole,
                [metric](const RunView& view) { return or_null(view.scores.values.at(metric)); });
            add(name + "_failed", ColumnType::boolean,
                [metric](const RunView& view) { return or_null(failed(view.scores.values.at(metric))); });
        }
        add("downstream_failure", ColumnType::real,
            [](const RunView& view) { return or_null(view.scores.downstream_failure); });
    }

    void add_label(std::string name, ColumnType type, std::function<json(const Annotation&)> cell) {
        add(std::move(name), type, [cell = std::move(cell)](const RunView& view) {
            const std::optional<Annotation>& annotation = view.run.annotation;
            return annotation && annotation->unlabelled.empty() ? cell(*annotation) : json();
        });
    }

    void add_labels() {
        add("annotator", ColumnType::text,
            [](const RunView& view) { return view.run.annotation ? text(view.run.annotation->annotator) : json(); });
        add("annotator_simulated", ColumnType::boolean,
            [](const RunView& view) { return view.run.annotation ? json(view.run.annotation->simulated) : json(); });
        add("unlabelled", ColumnType::text, [](const RunView& view) {
            return text(view.run.annotation ? view.run.annotation->unlabelled : "not annotated");
        });
        add_label("stance", ColumnType::text, [](const Annotation& label) { return text(to_string(label.stance)); });
        add_label("role_upgrade", ColumnType::text,
                  [](const Annotation& label) { return text(to_string(label.role_upgrade)); });
        add_label("attribution_removed", ColumnType::boolean,
                  [](const Annotation& label) { return json(label.attribution_removed); });
    }

    void add_cost() {
        add(
            "started", ColumnType::text, [](const Record& record) { return text_member(record.times, "started"); },
            false);
        add(
            "ended", ColumnType::text, [](const Record& record) { return text_member(record.times, "ended"); }, false);
        add(
            "total_s", ColumnType::real, [](const Record& record) { return real_member(record.times, "total_s"); },
            false);
        for (const char* const key : {"requests", "prompt_tokens", "completion_tokens"}) {
            add(
                key, ColumnType::whole, [key](const Record& record) { return whole_member(record.usage, key); }, false);
        }
    }

    std::vector<Column<RunView>> columns_;
};

const AnswerVerdict* verdict_of(const TurnView& view) {
    const bool judged = view.answer && view.run.run.record.valid && view.run.run.judgement;
    return judged ? &view.run.run.judgement->answers.at(*view.answer) : nullptr;
}

std::vector<Column<TurnView>> make_turn_columns() {
    std::vector<Column<TurnView>> columns;
    const auto of_record = [&columns](const char* name, std::string Record::*field) {
        columns.push_back(
            {name, ColumnType::text, [field](const TurnView& view) { return text(view.run.run.record.*field); }});
    };
    of_record("run_id", &Record::run_id);
    of_record("framework", &Record::framework);
    of_record("model", &Record::model);
    columns.push_back(
        {"simulated", ColumnType::boolean, [](const TurnView& view) { return json(view.run.run.record.simulated); }});
    columns.push_back(
        {"task_id", ColumnType::text, [](const TurnView& view) { return text(view.run.run.record.task.task_id); }});
    columns.push_back(
        {"valid", ColumnType::boolean, [](const TurnView& view) { return json(view.run.run.record.valid); }});
    columns.push_back({"chat", ColumnType::text, [](const TurnView& view) { return text(view.chat); }});
    columns.push_back({"turn", ColumnType::whole, [](const TurnView& view) { return json(view.turn.turn); }});
    columns.push_back({"user", ColumnType::text, [](const TurnView& view) { return text(view.turn.user); }});
    columns.push_back({"agent", ColumnType::text, [](const TurnView& view) { return text(view.turn.agent); }});
    columns.push_back({"seconds", ColumnType::real, [](const TurnView& view) { return json(view.turn.seconds); }});
    columns.push_back(
        {"model_calls", ColumnType::whole, [](const TurnView& view) { return json(view.turn.model_calls); }});
    for (std::size_t metric = 0; metric < answer_metrics; ++metric) {
        columns.push_back(
            {std::string(to_string(metric_order.at(metric))), ColumnType::whole, [metric](const TurnView& view) {
                 return view.answer ? or_null(view.run.scores.answers.at(metric).at(*view.answer)) : json();
             }});
    }
    columns.push_back({"rationale", ColumnType::text, [](const TurnView& view) {
                           const AnswerVerdict* const verdict = verdict_of(view);
                           return verdict != nullptr ? text(verdict->rationale) : json();
                       }});
    return columns;
}

}  // namespace

const std::vector<Column<RunView>>& run_columns() {
    static const std::vector<Column<RunView>> columns = RunColumns().take();
    return columns;
}

const std::vector<Column<TurnView>>& turn_columns() {
    static const std::vector<Column<TurnView>> columns = make_turn_columns();
    return columns;
}

void for_each_turn(const RunView& view, const std::function<void(const TurnView&)>& each) {
    for (const TurnRecord& turn : view.run.record.first_chat) {
        each({view, turn, "first", std::nullopt});
    }
    for (const TurnRecord& turn : view.run.record.follow_up) {
        const bool judged = turn.turn >= 1 && turn.turn <= follow_up_turns;
        each({view, turn, "follow-up",
              judged ? std::optional<std::size_t>(static_cast<std::size_t>(turn.turn - 1)) : std::nullopt});
    }
}

}  // namespace pasb
