#include "wire/digest.hpp"

#include <openssl/sha.h>

#include <array>

namespace pasb {

std::string sha256_hex(std::string_view bytes) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(digest.size() * 2);
    for (const unsigned char byte : digest) {
        hex += digits[byte >> 4U];
        hex += digits[byte & 15U];
    }
    return hex;
}

std::string json_sha256(const nlohmann::json& value) {
    return sha256_hex(std::string_view(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

}  // namespace pasb
