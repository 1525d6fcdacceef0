// A note against a baseline and a claim, all three any bytes, parted by the byte 0xFF.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "changes/changed_text.hpp"
#include "changes/claim_match.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto next = [&input] {
        const std::string_view part = input.substr(0, input.find('\xff'));
        input.remove_prefix(part.size() < input.size() ? part.size() + 1 : part.size());
        return part;
    };
    const std::string_view claim = next();
    const std::string_view baseline = next();
    const std::string_view note = input;
    const auto changed = pasb::changed_text(note, baseline);
    if (!changed) {
        return 0;
    }
    const pasb::ClaimMatch match = pasb::match_claim(claim, changed->text);
    const pasb::ByteSpan span = changed->in_note(match.span);
    const bool sound = match.score >= 0 && match.score <= 1 && match.span.begin <= match.span.end &&
                       match.span.end <= changed->text.size() && span.begin <= span.end && span.end <= note.size();
    if (!sound) {
        __builtin_trap();
    }
    return 0;
}
