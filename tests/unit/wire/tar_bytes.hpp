// Tars written byte by byte, for entries that the project's own writer refuses or writes otherwise.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace pasb::testing {

inline std::string padded(std::string bytes) {
    bytes.resize((bytes.size() + 511) / 512 * 512, '\0');
    return bytes;
}

inline std::string tar_header(std::string_view name, char type, std::size_t size, std::string_view link = {},
                              unsigned mode = 0644) {
    std::string header(512, '\0');
    const auto put = [&header](std::size_t at, std::string_view text) { header.replace(at, text.size(), text); };
    const auto put_octal = [&put](std::size_t at, int digits, std::size_t value) {
        char text[24];
        std::snprintf(text, sizeof text, "%0*zo", digits, value);
        put(at, text);
    };
    put(0, name);
    put_octal(100, 7, mode);
    put_octal(108, 7, 10001);
    put_octal(116, 7, 10001);
    put_octal(124, 11, size);
    put_octal(136, 11, 1'700'000'000);
    put(148, "        ");
    header[156] = type;
    put(157, link);
    put(257, std::string_view("ustar\0"
                              "00",
                              8));
    std::size_t sum = 0;
    for (const char byte : header) {
        sum += static_cast<unsigned char>(byte);
    }
    put_octal(148, 6, sum);
    header[154] = '\0';
    return header;
}

inline std::string tar_file(std::string_view name, const std::string& content, unsigned mode = 0644) {
    return tar_header(name, '0', content.size(), {}, mode) + padded(content);
}

// A pax record with its own length in front, and the header that carries it, the way Go's archive/tar writes it.
inline std::string pax_header(std::string_view key, std::string_view value) {
    const std::size_t rest = key.size() + value.size() + 3;
    std::size_t length = rest;
    while (std::to_string(length).size() + rest != length) {
        length = std::to_string(length).size() + rest;
    }
    const std::string record = std::to_string(length) + " " + std::string(key) + "=" + std::string(value) + "\n";
    return tar_header("PaxHeaders.0/x", 'x', record.size()) + padded(record);
}

inline std::string tar_end() {
    return std::string(1024, '\0');
}

}  // namespace pasb::testing
