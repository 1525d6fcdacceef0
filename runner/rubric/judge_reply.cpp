#include "rubric/judge_reply.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "model/bytes.hpp"
#include "wire/chat_stream.hpp"
#include "wire/json_splice.hpp"

namespace pasb {
namespace {

using nlohmann::json;

// Bounds that keep any reply cheap to read: a verdict is some hundred bytes.
constexpr std::size_t longest_text = 256U << 10U;
constexpr std::size_t deepest_nesting = 32;
constexpr int most_objects = 500;
constexpr std::size_t error_text_bytes = 300;
constexpr int best_score = 1;
constexpr int worst_score = 5;

constexpr std::string_view space = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

struct ReasoningTag {
    std::string_view open;
    std::string_view close;
};

// How models and servers mark reasoning that was left in the content; ASCII letters in either case.
constexpr std::array reasoning_tags{
    ReasoningTag{"<think>", "</think>"},
    ReasoningTag{"<thinking>", "</thinking>"},
    ReasoningTag{"<thought>", "</thought>"},
    ReasoningTag{"<reasoning>", "</reasoning>"},
    ReasoningTag{"<reflection>", "</reflection>"},
    ReasoningTag{"<scratchpad>", "</scratchpad>"},
    ReasoningTag{"<analysis>", "</analysis>"},
    ReasoningTag{"<seed:think>", "</seed:think>"},
    ReasoningTag{"[think]", "[/think]"},
    ReasoningTag{"\xE2\x97\x81think\xE2\x96\xB7", "\xE2\x97\x81/think\xE2\x96\xB7"},
    ReasoningTag{"<|channel|>analysis", "<|channel|>final"},
};

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
    return text.size() - at >= word.size() &&
           std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char expected, char found) { return expected == lower(found); });
}

std::size_t find_folded(std::string_view text, std::size_t from, std::string_view word) {
    for (std::size_t at = from; at < text.size(); ++at) {
        if (stands_at(text, at, word)) {
            return at;
        }
    }
    return std::string_view::npos;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(space) == std::string_view::npos;
}

std::string_view without_mark(std::string_view text) {
    const auto first = text.find_first_not_of(space);
    text.remove_prefix(first == std::string_view::npos ? text.size() : first);
    return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

struct Parsed {
    json value = json(json::value_t::discarded);
    bool duplicate_key = false;  // at any depth, after unescaping
};

Parsed parse(std::string_view text) {
    Parsed parsed;
    if (nesting_depth(text) > deepest_nesting) {
        return parsed;
    }
    std::vector<std::set<std::string>> names;
    const auto watch = [&](int, json::parse_event_t event, json& value) {
        if (event == json::parse_event_t::object_start) {
            names.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            names.pop_back();
        } else if (event == json::parse_event_t::key) {
            parsed.duplicate_key |= !names.back().insert(value.get<std::string>()).second;
        }
        return true;
    };
    parsed.value = json::parse(text, watch, false);
    return parsed;
}

// Position behind the bracket that closes the object at `at`, strings taken into account; npos when nothing does.
std::size_t object_end(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    bool in_string = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string) {
            at += c == '\\' ? 1 : 0;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return at + 1;
        }
    }
    return std::string_view::npos;
}

// A brace in prose ("the set {a, b}") is no attempt at an object. One before a quote is, the last one when nothing
// closes it (a cut), and one in some other notation, which names a field before the next brace.
bool begins_object(std::string_view text, std::size_t at, const ReplyContract& contract) {
    const auto next = text.find_first_not_of(space, at + 1);
    const auto brace = text.find_first_of("{}", at + 1);
    if (brace == std::string_view::npos || text[next] == '"' || text[next] == '}' || text[next] == '\'') {
        return true;
    }
    const std::string_view inside = text.substr(next, brace - next);
    return std::any_of(contract.begin(), contract.end(),
                       [inside](const ReplyField& field) { return inside.find(field.name) != std::string_view::npos; });
}

// What stands in a text outside of reasoning.
struct Found {
    std::vector<Parsed> objects;
    bool broken = false;    // something began like an object and is none
    bool anything = false;  // a character that is not space
};

class Scanner {
  public:
    Scanner(std::string_view text, const ReplyContract& contract) : text_(text), contract_(contract) {}

    Found run() {
        while (at_ < text_.size()) {
            if (!skip_reasoning() && !take_object()) {
                found_.anything |= space.find(text_[at_]) == std::string_view::npos;
                ++at_;
            }
        }
        return std::move(found_);
    }

  private:
    bool skip_reasoning() {
        const char c = text_[at_];
        if (c != '<' && c != '[' && c != '\xE2') {
            return false;
        }
        for (const ReasoningTag& tag : reasoning_tags) {
            if (stands_at(text_, at_, tag.open)) {
                const auto close = find_folded(text_, at_ + tag.open.size(), tag.close);
                if (close == std::string_view::npos) {
                    found_ = {};  // the model thought better of what it had said, and never came to an end
                }
                at_ = close == std::string_view::npos ? text_.size() : close + tag.close.size();
                return true;
            }
            if (stands_at(text_, at_, tag.close)) {
                found_ = {};  // all so far was reasoning whose opening tag is part of the model's template
                at_ += tag.close.size();
                return true;
            }
        }
        return false;
    }

    bool take_object() {
        if (text_[at_] != '{' || !begins_object(text_, at_, contract_)) {
            return false;
        }
        if (++tried_ > most_objects) {
            found_.objects.clear();
            found_.broken = true;
            at_ = text_.size();
            return true;
        }
        const auto end = object_end(text_, at_);
        Parsed parsed = end == std::string_view::npos ? Parsed{} : parse(text_.substr(at_, end - at_));
        if (parsed.value.is_object()) {
            found_.objects.push_back(std::move(parsed));
        } else {
            found_.broken = true;
        }
        found_.anything = true;
        // Objects inside a broken one are parts of it. One that never ends is gone through for a closing reasoning tag.
        at_ = end == std::string_view::npos ? at_ + 1 : end;
        return true;
    }

    std::string_view text_;
    const ReplyContract& contract_;
    std::size_t at_ = 0;
    int tried_ = 0;
    Found found_;
};

bool is_required(const ReplyField& field) {
    return field.type != ReplyField::Type::text;
}

std::size_t required_fields_in(const json& object, const ReplyContract& contract) {
    return static_cast<std::size_t>(std::count_if(contract.begin(), contract.end(), [&](const ReplyField& field) {
        return is_required(field) && object.contains(field.name);
    }));
}

bool names_all(const json& object, const ReplyContract& contract) {
    return std::all_of(contract.begin(), contract.end(),
                       [&](const ReplyField& field) { return !is_required(field) || object.contains(field.name); });
}

bool is_integer_text(const json& value) {
    if (!value.is_string()) {
        return false;
    }
    std::string_view text = value.get_ref<const std::string&>();
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A single digit from 1 to 5, in quotes or not; everything else is refused with its reason.
std::string_view read_score(const ReplyField& field, const json& value, JudgeReply& reply) {
    if (value.is_number_integer()) {
        if (value < best_score || value > worst_score) {
            return unscored::score_range;
        }
        reply.fields[field.name] = value.get<int>();
        return {};
    }
    if (value.is_number()) {
        return unscored::score_not_integer;
    }
    if (!is_integer_text(value)) {
        return unscored::score_type;
    }
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() != 1 || text[0] < '1' || text[0] > '5') {
        return unscored::score_range;
    }
    reply.fields[field.name] = text[0] - '0';
    reply.flags.push_back("integer-string: " + field.name);
    return {};
}

std::string_view read_word(const ReplyField& field, const json& value, JudgeReply& reply) {
    if (!value.is_string()) {
        return unscored::label_type;
    }
    if (std::find(field.words.begin(), field.words.end(), value.get_ref<const std::string&>()) == field.words.end()) {
        return unscored::label_unknown;
    }
    reply.fields[field.name] = value;
    return {};
}

std::string_view read_field(const ReplyField& field, const json& object, JudgeReply& reply) {
    const json value = object.value(field.name, json());
    switch (field.type) {
        case ReplyField::Type::score:
            return read_score(field, value, reply);
        case ReplyField::Type::word:
            return read_word(field, value, reply);
        case ReplyField::Type::boolean:
            reply.fields[field.name] = value;
            return value.is_boolean() ? std::string_view{} : unscored::label_type;
        case ReplyField::Type::text:
            break;
    }
    reply.fields[field.name] = value.is_string() ? value : json("");
    if (!value.is_string()) {
        reply.flags.push_back("no-text: " + field.name);
    }
    return {};
}

std::string first_missing(const json& object, const ReplyContract& contract) {
    const auto gap = std::find_if(contract.begin(), contract.end(), [&](const ReplyField& field) {
        return is_required(field) && !object.contains(field.name);
    });
    return gap == contract.end() ? "" : std::string(unscored::missing) + gap->name;
}

std::string read_object(const Parsed& object, const ReplyContract& contract, JudgeReply& reply) {
    if (object.duplicate_key) {
        return std::string(unscored::duplicate_key);
    }
    if (std::string gap = first_missing(object.value, contract); !gap.empty()) {
        return gap;
    }
    for (const ReplyField& field : contract) {
        if (const std::string_view reason = read_field(field, object.value, reply); !reason.empty()) {
            return std::string(reason);
        }
    }
    return {};
}

// At any depth. In a dump a quote that is followed by a colon ends a key: those inside strings are escaped.
bool names_any(const json& object, const ReplyContract& contract) {
    const std::string text = object.dump(-1, ' ', false, json::error_handler_t::replace);
    return std::any_of(contract.begin(), contract.end(), [&](const ReplyField& field) {
        return text.find('"' + field.name + "\":") != std::string::npos;
    });
}

// The object that the reply is: the only whole one, or the one that names most of the fields, for its reason.
const Parsed& best_of(const std::vector<Parsed>& objects, const ReplyContract& contract) {
    return *std::max_element(objects.begin(), objects.end(), [&](const Parsed& left, const Parsed& right) {
        return required_fields_in(left.value, contract) < required_fields_in(right.value, contract);
    });
}

// Which of several attempts a model meant nobody can tell: a whole object beside a broken or a partial one may be an
// example or a draft.
std::string read_scattered(std::string_view text, const ReplyContract& contract, JudgeReply& reply) {
    const Found found = Scanner(text, contract).run();
    const auto whole = [&](const Parsed& object) { return names_all(object.value, contract); };
    const auto naming = [&](const Parsed& object) { return names_any(object.value, contract); };
    const auto wholes = std::count_if(found.objects.begin(), found.objects.end(), whole);
    if (wholes > 1) {
        return std::string(unscored::multiple_objects);
    }
    if (found.broken) {
        return std::string(unscored::bad_json);
    }
    if (wholes == 1 && std::count_if(found.objects.begin(), found.objects.end(), naming) > 1) {
        return std::string(unscored::multiple_objects);
    }
    if (found.objects.empty()) {
        return std::string(found.anything ? unscored::no_json : unscored::empty);
    }
    reply.flags.emplace_back("text-around-json");
    return read_object(best_of(found.objects, contract), contract, reply);
}

std::string read_text(std::string_view raw, const ReplyContract& contract, JudgeReply& reply) {
    const std::string_view text = without_mark(raw);
    if (is_blank(text)) {
        return std::string(unscored::empty);
    }
    if (text.size() > longest_text) {
        return std::string(unscored::too_long);
    }
    const Parsed whole = parse(text);
    return whole.value.is_object() ? read_object(whole, contract, reply) : read_scattered(text, contract, reply);
}

std::string text_member(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

struct Content {
    std::string text;
    std::string refusal;
};

// Text, or a list of parts of which only the text counts: other kinds hold reasoning.
Content content_of(const json& message) {
    Content content{"", text_member(message, "refusal")};
    const json value = message.value("content", json());
    if (value.is_string()) {
        content.text = value.get<std::string>();
    }
    for (const json& part : value.is_array() ? value : json::array()) {
        if (part.is_string()) {
            content.text += part.get<std::string>();
        } else if (part.is_object()) {
            const std::string type = text_member(part, "type");
            content.text += type == "text" || type == "output_text" ? text_member(part, "text") : "";
            content.refusal += type == "refusal" ? text_member(part, "refusal") : "";
        }
    }
    return content;
}

// Why the way in which the model stopped rules the answer out; empty when it does not.
std::string_view problem_of_finish(const json& choice) {
    const std::string reason = text_member(choice, "finish_reason");
    const auto among = [&reason](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), reason) != names.end();
    };
    if (among({"length", "max_tokens", "model_length"})) {
        return unscored::truncated;
    }
    if (among({"content_filter", "safety", "sensitive"})) {
        return unscored::content_filter;
    }
    // Tool calls leave the content empty, which is the better reason.
    return among({"", "stop", "eos", "end_turn", "stop_sequence", "tool_calls", "function_call"})
               ? std::string_view{}
               : unscored::unfinished;
}

// What keeps a response from being one answer of one model; empty when nothing does.
std::string problem_of_response(const json& response) {
    if (const json* const error = response.is_object() ? error_object(response) : nullptr; error != nullptr) {
        const std::string message = error->is_object() ? text_member(*error, "message") : std::string();
        return std::string(unscored::upstream_failed) + "error object: " + to_utf8(message.substr(0, error_text_bytes));
    }
    if (std::string problem = completion_problem(response); !problem.empty()) {
        return std::string(unscored::upstream_failed) + problem;
    }
    return response.at("choices").size() > 1 ? std::string(unscored::multiple_objects) : std::string();
}

std::string read_response(const json& response, const ReplyContract& contract, JudgeReply& reply) {
    if (std::string problem = problem_of_response(response); !problem.empty()) {
        return problem;
    }
    const json& choice = response.at("choices").front();
    Content content = content_of(choice.at("message"));
    reply.text = content.text.empty() ? content.refusal : content.text;
    if (const std::string_view problem = problem_of_finish(choice); !problem.empty()) {
        return std::string(problem);
    }
    return content.refusal.empty() ? read_text(content.text, contract, reply) : std::string(unscored::refusal);
}

}  // namespace

JudgeReply read_reply(const json& response, const ReplyContract& contract) {
    JudgeReply reply;
    reply.fields = json::object();
    reply.unscored = read_response(response, contract, reply);
    if (!reply.unscored.empty()) {
        reply.fields = nullptr;
        reply.flags.clear();
    }
    return reply;
}

}  // namespace pasb
