// Paths as text for people, logs and JSON: reversible ASCII-safe escapes for bytes that are not printable UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace pasb {

// Control characters, DEL, invisible direction marks, bytes that are not UTF-8 and the backslash become \xNN (one
// escape a byte), all else stays. Always valid UTF-8 on one line, and two different inputs never give the same output.
std::string printable(std::string_view bytes);

}  // namespace pasb
