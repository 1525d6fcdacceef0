// SHA-256 as lower-case hex, of bytes or of JSON in one canonical form.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pasb {

std::string sha256_hex(std::string_view bytes);

// Of the value's compact dump with sorted keys; bytes that are not UTF-8 are replaced, so the digest never throws.
std::string json_sha256(const nlohmann::json& value);

}  // namespace pasb
