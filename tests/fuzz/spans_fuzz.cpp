// Shared runs of two texts of any bytes, parted by the byte 0xFF, each in all its readings.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "evidence/text_spans.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t middle = input.find('\xff');
    const std::string_view other = middle == std::string_view::npos ? input : input.substr(middle + 1);
    pasb::SpanIndex index;
    index.add_readings(other);
    for (const std::string& reading : pasb::readings(input.substr(0, middle))) {
        const auto words = pasb::split_words(reading);
        std::size_t last_end = 0;
        for (const pasb::WordSpan& span : index.find(words, 2)) {
            if (span.begin >= span.end || span.end <= last_end || span.end > words.size()) {
                __builtin_trap();
            }
            last_end = span.end;
        }
    }
    return 0;
}
