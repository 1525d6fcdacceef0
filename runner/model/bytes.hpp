// Bytes that may not be UTF-8, for JSON and terminals. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pasb {

// Each byte that is not part of valid UTF-8 becomes U+FFFD.
std::string to_utf8(std::string_view bytes);

std::string base64(std::string_view bytes);
// Ignores nothing: throws InputError on a character or a length that base64 does not have.
std::string from_base64(std::string_view text);

// Puts `bytes` under `key` as text; when they are not UTF-8 also under key + "_base64", which then is the exact value.
void put_bytes(nlohmann::json& object, const std::string& key, std::string_view bytes);
std::string get_bytes(const nlohmann::json& object, const std::string& key);

// For a terminal: control characters, escape sequences and bidirectional overrides are shown as \xNN or \u{NNNN};
// newlines are kept.
std::string terminal_text(std::string_view text);

}  // namespace pasb
