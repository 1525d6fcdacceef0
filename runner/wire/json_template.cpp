#include "wire/json_template.hpp"

#include <utility>

#include "model/errors.hpp"

namespace pasb {
namespace {

// Calls `plain` with each stretch of text and `name` with each placeholder, in order.
template <typename Plain, typename Name>
void walk(std::string_view text, const Plain& plain, const Name& name) {
    while (true) {
        const std::size_t first_open = text.find("{{");
        const std::size_t close = first_open == std::string_view::npos ? first_open : text.find("}}", first_open + 2);
        if (close == std::string_view::npos) {
            plain(text);
            return;
        }
        const std::size_t open = text.rfind("{{", close - 2);  // the innermost, as in {{{name}}}
        plain(text.substr(0, open));
        name(text.substr(open + 2, close - open - 2));
        text.remove_prefix(close + 2);
    }
}

void collect_names(const nlohmann::json& value, std::vector<std::string>& names) {
    if (const auto* text = value.get_ptr<const std::string*>()) {
        const std::vector<std::string> found = template_names(*text);
        names.insert(names.end(), found.begin(), found.end());
    } else if (value.is_structured()) {
        for (const nlohmann::json& child : value) {
            collect_names(child, names);
        }
    }
}

}  // namespace

std::string fill_template(std::string_view text, const TemplateValues& values) {
    std::string filled;
    walk(
        text, [&](std::string_view plain) { filled += plain; },
        [&](std::string_view name) {
            const auto found = values.find(name);
            if (found != values.end()) {
                filled += found->second;
            } else {
                filled.append("{{").append(name).append("}}");
            }
        });
    return filled;
}

nlohmann::json fill_json_template(nlohmann::json value, const TemplateValues& values) {
    if (auto* text = value.get_ptr<std::string*>()) {
        *text = fill_template(*text, values);
    } else if (value.is_structured()) {
        for (nlohmann::json& child : value) {
            child = fill_json_template(std::move(child), values);
        }
    }
    return value;
}

std::vector<std::string> template_names(std::string_view text) {
    std::vector<std::string> names;
    walk(
        text, [](std::string_view) {}, [&](std::string_view name) { names.emplace_back(name); });
    return names;
}

std::vector<std::string> json_template_names(const nlohmann::json& value) {
    std::vector<std::string> names;
    collect_names(value, names);
    return names;
}

std::optional<std::string> reply_text(const nlohmann::json& answer, const std::string& pointer) {
    nlohmann::json::json_pointer place;
    try {
        place = nlohmann::json::json_pointer(pointer);
    } catch (const nlohmann::json::parse_error&) {
        throw InputError("'" + pointer + "' is no JSON pointer: write it like /choices/0/message/content");
    }
    // contains() and at() refuse an array index that is no number by throwing, which here means the reply is not there.
    try {
        const nlohmann::json& reply = answer.at(place);
        const auto* text = reply.get_ptr<const std::string*>();
        if (text == nullptr || text->find_first_not_of(" \t\r\n") == std::string::npos) {
            return std::nullopt;
        }
        return *text;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace pasb
