// The page's style and script (page.css, page.js), written into the program when it is built. Not a file reader.
#pragma once

#include <string>
#include <string_view>

namespace pasb {

std::string_view page_style();
std::string_view page_script();

// The only style and script that the page may run, as sources of a Content-Security-Policy: 'sha256-...'.
std::string page_style_source();
std::string page_script_source();

}  // namespace pasb
