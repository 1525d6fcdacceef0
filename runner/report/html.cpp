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

// The separators end a line without being a line end that anybody sees.
void show_separators(std::string& text) {
    for (const auto& [separator, shown] : {std::pair{"\xE2\x80\xA8", "\\u{2028}"}, {"\xE2\x80\xA9", "\\u{2029}"}}) {
        for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, at)) {
            text.replace(at, 3, shown);
        }
    }
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string shown = terminal_text(text);
    show_separators(shown);
    std::string out;
    out.reserve(shown.size());
    for (const char c : shown) {
        const std::string_view escaped = entity(c);
        if (escaped.empty()) {
            out += c;
        } else {
            out += escaped;
        }
    }
    return out;
}

}  // namespace pasb
