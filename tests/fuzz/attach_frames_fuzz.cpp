// Any bytes as an attach stream: the same outcome whole and byte by byte, and nothing but the input in the output.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wire/attach_frames.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const pasb::AttachOutput whole = pasb::parse_attach_frames(bytes);
    pasb::AttachFrames frames;
    for (std::size_t at = 0; at < size; ++at) {
        frames.feed(bytes.substr(at, 1));
    }
    const pasb::AttachOutput pieces = frames.output();
    if (whole.out != pieces.out || whole.err != pieces.err || whole.end != pieces.end ||
        whole.out.size() + whole.err.size() > size) {
        std::abort();
    }
    return 0;
}
