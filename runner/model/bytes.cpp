#include "model/bytes.hpp"

#include <array>
#include <cstdint>
#include <cstdio>

#include "model/errors.hpp"
#include "model/utf8.hpp"

namespace pasb {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint8_t byte_at(std::string_view text, std::size_t index) {
    return static_cast<std::uint8_t>(text[index]);
}

bool steers_a_terminal(std::int32_t value) {
    const bool control = (value < 0x20 && value != '\n' && value != '\t') || (value >= 0x7F && value < 0xA0);
    const bool bidirectional = (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) ||
                               value == 0x200E || value == 0x200F || value == 0x061C;
    return control || bidirectional;
}

}  // namespace

std::string to_utf8(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t begin = at;
        const bool valid = next_code_point(bytes, at) >= 0;
        text += valid ? bytes.substr(begin, at - begin) : replacement;
    }
    return text;
}

std::string base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t left = bytes.size() - at;
        const std::uint32_t group = static_cast<std::uint32_t>(byte_at(bytes, at)) << 16U |
                                    (left > 1 ? static_cast<std::uint32_t>(byte_at(bytes, at + 1)) << 8U : 0U) |
                                    (left > 2 ? static_cast<std::uint32_t>(byte_at(bytes, at + 2)) : 0U);
        text += alphabet[group >> 18U];
        text += alphabet[(group >> 12U) & 63U];
        text += left > 1 ? alphabet[(group >> 6U) & 63U] : '=';
        text += left > 2 ? alphabet[group & 63U] : '=';
    }
    return text;
}

std::string from_base64(std::string_view text) {
    if (text.size() % 4 != 0) {
        throw InputError("base64 text has a length that is no multiple of four");
    }
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); at += 4) {
        std::uint32_t group = 0;
        std::size_t padding = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const char c = text[at + i];
            const bool pad = c == '=' && at + 4 == text.size() && i >= 2;
            const std::size_t value = pad ? 0 : alphabet.find(c);
            if (value == std::string_view::npos || (padding > 0 && !pad)) {
                throw InputError("base64 text holds a character that base64 does not have");
            }
            padding += pad ? 1 : 0;
            group = (group << 6U) | static_cast<std::uint32_t>(value);
        }
        bytes += static_cast<char>(group >> 16U);
        if (padding < 2) {
            bytes += static_cast<char>((group >> 8U) & 0xFFU);
        }
        if (padding < 1) {
            bytes += static_cast<char>(group & 0xFFU);
        }
    }
    return bytes;
}

void put_bytes(nlohmann::json& object, const std::string& key, std::string_view bytes) {
    if (is_utf8(bytes)) {
        object[key] = std::string(bytes);
        return;
    }
    object[key] = to_utf8(bytes);
    object[key + "_base64"] = base64(bytes);
}

std::string get_bytes(const nlohmann::json& object, const std::string& key) {
    const auto exact = object.find(key + "_base64");
    return exact != object.end() ? from_base64(exact->get<std::string>()) : object.at(key).get<std::string>();
}

std::string terminal_text(std::string_view text) {
    std::string out;
    std::array<char, 16> escaped{};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const std::int32_t point = next_code_point(text, at);
        if (point < 0) {
            std::snprintf(escaped.data(), escaped.size(), "\\x%02X", static_cast<unsigned>(byte_at(text, begin)));
            out += escaped.data();
        } else if (steers_a_terminal(point)) {
            std::snprintf(escaped.data(), escaped.size(), "\\u{%X}", static_cast<unsigned>(point));
            out += escaped.data();
        } else {
            out += text.substr(begin, at - begin);
        }
    }
    return out;
}

}  // namespace pasb
