// Strict decoding of UTF-8. Not a text library: ICU does the rest, but its macros do not pass this build's warnings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pasb {

// The code point at `at`, which must lie inside `text`; moves `at` behind it. -1 for a byte that begins no valid
// sequence (overlong forms and surrogates are none); `at` then moves by one byte.
std::int32_t next_code_point(std::string_view text, std::size_t& at);

bool is_utf8(std::string_view bytes);

}  // namespace pasb
