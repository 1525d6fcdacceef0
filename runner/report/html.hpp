// Untrusted text inside HTML. Not a template engine; script blocks of the page hold base64 alone (report/pack.hpp).
#pragma once

#include <string>
#include <string_view>

namespace pasb {

// For element content and quoted attributes. Characters that steer a terminal or the writing direction, and bytes that
// are not UTF-8, are shown as escapes (see terminal_text); line ends and tabs stay.
std::string html_text(std::string_view text);

}  // namespace pasb
