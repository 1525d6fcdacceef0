#include "report/html.hpp"

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
    return replaced(terminal_text(text), entity);
}

std::string script_json(const nlohmann::json& value) {
    return replaced(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), json_escape);
}

}  // namespace pasb
