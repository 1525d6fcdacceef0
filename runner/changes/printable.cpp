#include "changes/printable.hpp"

#include <unicode/uchar.h>

#include <cstdint>

#include "model/utf8.hpp"

namespace pasb {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

void append_escape(std::string& out, char byte) {
    const auto value = static_cast<unsigned char>(byte);
    out += "\\x";
    out += digits[value >> 4U];
    out += digits[value & 15U];
}

}  // namespace

std::string printable(std::string_view bytes) {
    std::string out;
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::size_t begin = at;
        const std::int32_t point = next_code_point(bytes, at);
        const bool shown =
            point >= 0 && point != '\\' && (u_isprint(point) != 0) && (u_charType(point) != U_FORMAT_CHAR);
        if (shown) {
            out += bytes.substr(begin, at - begin);
            continue;
        }
        for (std::size_t i = begin; i < at; ++i) {
            append_escape(out, bytes[i]);
        }
    }
    return out;
}

}  // namespace pasb
