#include "plan/task_file.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "model/errors.hpp"
#include "wire/yaml_value.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr int least_carry = 1;
constexpr int most_carry = 5;

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// One line of the release's JSONL.
class ReleaseRow {
  public:
    ReleaseRow(std::string_view line, std::string place) : place_(std::move(place)), row_(parse(line)) {}

    [[nodiscard]] Task task() const {
        Task task;
        task.base_item_id = required_text(row_, "base_item_id");
        task.family = named(required_text(row_, "sub_axis"), family_from, "sub_axis");
        const std::string substrate = required_text(row_, "substrate");
        task.scenario = named(substrate, scenario_from, "substrate");
        const std::string progression = required_text(row_, "progression");
        task.delivery = named(progression, delivery_from, "progression");
        task.task_id = optional_text(row_, "task_id");
        if (task.task_id.empty()) {
            task.task_id = task.base_item_id + "__" + substrate + "__" + progression;
        }
        task.domain = optional_text(row_, "content_domain");
        const json& trigger = row_.contains("trigger") ? row_.at("trigger") : json::object();
        if (!trigger.is_object()) {
            fail("trigger", "is no object");
        }
        task.claim = required_text(trigger, "claim");
        task.ground_truth_stance = optional_text(trigger, "ground_truth_stance");
        task.context_facts = optional_texts("context_facts");
        copy_texts("persist_dialog", task.turns);
        copy_texts("query_dialog", task.questions);
        task.carries = carries();
        task.origin = place_;
        return task;
    }

  private:
    [[noreturn]] void fail(std::string_view key, const std::string& what) const {
        throw InputError(place_ + ": " + std::string(key) + ": " + what);
    }

    [[nodiscard]] json parse(std::string_view line) const {
        json row;
        try {
            row = json::parse(line);
        } catch (const json::parse_error& error) {
            throw InputError(place_ + ":" + std::to_string(error.byte) + ": bad JSON: " + error.what());
        }
        if (!row.is_object()) {
            throw InputError(place_ + ": not a JSON object; write one task a line");
        }
        return row;
    }

    // Absent, null and blank are the same.
    [[nodiscard]] std::string optional_text(const json& object, const char* key) const {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null()) {
            return {};
        }
        if (!found->is_string()) {
            fail(key, std::string("is ") + found->type_name() + ", not a text");
        }
        const auto& text = found->get_ref<const std::string&>();
        return is_blank(text) ? std::string() : text;
    }

    [[nodiscard]] std::string required_text(const json& object, const char* key) const {
        std::string text = optional_text(object, key);
        if (text.empty()) {
            fail(key, "missing; a task cannot do without it");
        }
        return text;
    }

    template <typename Value>
    Value named(const std::string& name, Value (*from)(std::string_view), std::string_view key) const {
        try {
            return from(name);
        } catch (const InputError& error) {
            fail(key, error.what());
        }
    }

    [[nodiscard]] std::vector<std::string> optional_texts(const char* key) const {
        std::vector<std::string> texts;
        const auto found = row_.find(key);
        if (found == row_.end() || found->is_null()) {
            return texts;
        }
        if (!found->is_array()) {
            fail(key, "is no list");
        }
        for (const json& item : *found) {
            if (!item.is_string() || is_blank(item.get_ref<const std::string&>())) {
                fail(key, "holds something other than texts, or an empty one");
            }
            texts.push_back(item.get<std::string>());
        }
        return texts;
    }

    template <std::size_t count>
    void copy_texts(const char* key, std::array<std::string, count>& to) const {
        const std::vector<std::string> texts = optional_texts(key);
        if (texts.size() != count) {
            fail(key, "holds " + std::to_string(texts.size()) + " texts; a task has " + std::to_string(count));
        }
        std::copy(texts.begin(), texts.end(), to.begin());
    }

    // How strongly each turn carries the claim; half of the release's rows do not say.
    [[nodiscard]] std::vector<int> carries() const {
        std::vector<int> scores;
        const auto found = row_.find("position_scores");
        if (found == row_.end() || found->is_null() || found->empty()) {
            return scores;
        }
        for (const json& item : *found) {
            if (!item.is_number_integer() || item < least_carry || item > most_carry) {
                fail("position_scores", "holds something other than whole numbers from 1 to 5");
            }
            scores.push_back(item.get<int>());
        }
        if (scores.size() != first_chat_turns) {
            fail("position_scores", "has to hold one number for each of the five turns");
        }
        return scores;
    }

    std::string place_;  // "file:line"
    json row_;
};

template <typename Value>
Value named(const YamlValue& value, Value (*from)(std::string_view)) {
    try {
        return from(value.text());
    } catch (const InputError& error) {
        value.fail(error.what());
    }
}

template <std::size_t count>
std::array<std::string, count> exact_texts(const YamlValue& value) {
    const std::vector<std::string> texts = value.texts();
    if (texts.size() != count) {
        value.fail("holds " + std::to_string(texts.size()) + " texts; write " + std::to_string(count));
    }
    std::array<std::string, count> all;
    std::copy(texts.begin(), texts.end(), all.begin());
    return all;
}

// Ids stand in file names and in command lines.
std::string item_id(const YamlValue& value) {
    std::string id = value.text();
    const bool plain = std::all_of(id.begin(), id.end(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' || letter == '.';
    });
    if (!plain) {
        value.fail("'" + id + "' may hold letters, digits, - _ . only");
    }
    return id;
}

std::vector<int> carries(const YamlValue& value) {
    std::vector<int> scores;
    for (const YamlValue& item : value.items()) {
        scores.push_back(item.number(least_carry, most_carry));
    }
    if (scores.size() != first_chat_turns) {
        value.fail("holds " + std::to_string(scores.size()) + " numbers; write one for each of the five turns");
    }
    return scores;
}

// What the 16 renderings of a base item share.
Task base_item(const YamlValue& root) {
    const YamlValue schema = root.at("schema");
    if (schema.text() != "pasb.tasks/1") {
        schema.fail("'" + schema.text() + "' is not known; this program reads pasb.tasks/1");
    }
    Task base;
    base.base_item_id = item_id(root.at("base_item_id"));
    base.family = named(root.at("family"), family_from);
    base.domain = root.at("domain").text();
    base.claim = root.at("claim").text();
    base.ground_truth_stance = root.at("ground_truth_stance").text();
    if (const auto facts = root.find("context_facts")) {
        base.context_facts = facts->texts();
    }
    base.questions = exact_texts<follow_up_turns>(root.at("follow_up"));
    return base;
}

auto content_of(const Task& task) {
    return std::tie(task.base_item_id, task.family, task.scenario, task.delivery, task.domain, task.claim,
                    task.ground_truth_stance, task.context_facts, task.turns, task.questions, task.carries);
}

}  // namespace

std::vector<Task> parse_release_jsonl(std::string_view text, const std::string& filename) {
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    std::vector<Task> tasks;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view row = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!is_blank(row)) {
            tasks.push_back(ReleaseRow(row, filename + ":" + std::to_string(line)).task());
        }
    }
    return unique_tasks(std::move(tasks));
}

std::vector<Task> parse_task_yaml(std::string_view text, const std::string& filename) {
    const YamlValue root = YamlValue::parse(text, filename);
    root.allow_keys({"schema", "base_item_id", "family", "domain", "claim", "ground_truth_stance", "context_facts",
                     "follow_up", "tasks"});
    const Task base = base_item(root);
    std::vector<Task> tasks;
    for (const YamlValue& rendering : root.at("tasks").items()) {
        rendering.allow_keys({"scenario", "delivery", "carries", "turns"});
        Task task = base;
        task.scenario = named(rendering.at("scenario"), scenario_from);
        task.delivery = named(rendering.at("delivery"), delivery_from);
        task.carries = carries(rendering.at("carries"));
        task.turns = exact_texts<first_chat_turns>(rendering.at("turns"));
        task.task_id = base.base_item_id;
        task.task_id.append("__").append(to_string(task.scenario)).append("__").append(to_string(task.delivery));
        task.origin = filename + ":" + std::to_string(rendering.line());
        tasks.push_back(std::move(task));
    }
    return unique_tasks(std::move(tasks));
}

std::vector<Task> unique_tasks(std::vector<Task> tasks) {
    std::map<std::string, std::size_t> first_of_id;
    std::vector<Task> kept;
    for (Task& task : tasks) {
        const auto [place, is_new] = first_of_id.emplace(task.task_id, kept.size());
        if (is_new) {
            kept.push_back(std::move(task));
            continue;
        }
        const Task& first = kept[place->second];
        if (content_of(first) != content_of(task)) {
            throw InputError(task.origin + ": task " + task.task_id + " differs from the one of that id at " +
                             first.origin + "; give it an id of its own or remove one");
        }
    }
    return kept;
}

}  // namespace pasb
