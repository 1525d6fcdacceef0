#include "report/html.hpp"

#include <utility>

#include "model/bytes.hpp"

namespace pasb {
namespace {

std::string_view entity(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
    }
}

std::string_view json_escape(char c) {
    switch (c) {
        case '&':
            return "\\u0026";
        case '<':
            return "\\u003c";
        case '>':
            return "\\u003e";
        default:
            return {};
    }
}

// The separators end a line without being a line end that anybody sees.
void show_separators(std::string& text) {
    for (const auto& [separator, shown] : {std::pair{"\xE2\x80\xA8", "\\u{2028}"}, {"\xE2\x80\xA9", "\\u{2029}"}}) {
        for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, at)) {
            text.replace(at, 3, shown);
        }
    }
}

std::string replaced(std::string_view text, std::string_view (*replacement)(char)) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        const std::string_view other = replacement(c);
        if (other.empty()) {
            out += c;
        } else {
            out += other;
        }
    }
    return out;
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string shown = terminal_text(text);
    show_separators(shown);
    return replaced(shown, entity);
}

std::string script_json(const nlohmann::json& value) {
    return replaced(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), json_escape);
}

}  // namespace pasb
