#include "model/utf8.hpp"

namespace pasb {
namespace {

struct Lead {
    std::size_t following = 0;
    std::uint32_t bits = 0;
    std::uint32_t least = 0;  // smallest code point that needs this length
};

bool read_lead(unsigned char byte, Lead& lead) {
    if (byte >= 0xC2 && byte <= 0xDF) {
        lead = {1, byte & 0x1FU, 0x80};
    } else if ((byte & 0xF0U) == 0xE0) {
        lead = {2, byte & 0x0FU, 0x800};
    } else if (byte >= 0xF0 && byte <= 0xF4) {
        lead = {3, byte & 0x07U, 0x10000};
    } else {
        return false;
    }
    return true;
}

}  // namespace

std::int32_t next_code_point(std::string_view text, std::size_t& at) {
    const auto first = static_cast<unsigned char>(text[at++]);
    if (first < 0x80) {
        return first;
    }
    Lead lead;
    if (!read_lead(first, lead) || text.size() - at < lead.following) {
        return -1;
    }
    std::uint32_t point = lead.bits;
    for (std::size_t i = 0; i < lead.following; ++i) {
        const auto byte = static_cast<unsigned char>(text[at + i]);
        if ((byte & 0xC0U) != 0x80) {
            return -1;
        }
        point = (point << 6U) | (byte & 0x3FU);
    }
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (point < lead.least || point > 0x10FFFF || surrogate) {
        return -1;
    }
    at += lead.following;
    return static_cast<std::int32_t>(point);
}

bool is_utf8(std::string_view bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        if (next_code_point(bytes, at) < 0) {
            return false;
        }
    }
    return true;
}

}  // namespace pasb
