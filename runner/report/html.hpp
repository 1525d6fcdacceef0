// Untrusted text inside HTML and inside script blocks. Not a template engine.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pasb {

// For element content and quoted attributes. Characters that steer a terminal or the writing direction, and bytes that
// are not UTF-8, are shown as escapes (see terminal_text); line ends and tabs stay.
std::string html_text(std::string_view text);

// JSON in ASCII without `<`, `>` and `&`, so that no text in it ends a script block or a line (U+2028).
std::string script_json(const nlohmann::json& value);

}  // namespace pasb
