// Any bytes, split anywhere, give the same events as in one piece, and what is written reads back.
#include "wire/sse.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

std::vector<pasb::SseEvent> read(std::string_view bytes, std::size_t step) {
    pasb::SseParser parser;
    std::vector<pasb::SseEvent> all;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        for (auto& event : parser.feed(bytes.substr(at, step))) {
            all.push_back(std::move(event));
        }
    }
    for (auto& event : parser.finish()) {
        all.push_back(std::move(event));
    }
    return all;
}

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

bool same(const std::vector<pasb::SseEvent>& a, const std::vector<pasb::SseEvent>& b) {
    bool equal = a.size() == b.size();
    for (std::size_t i = 0; equal && i < a.size(); ++i) {
        equal = a[i].name == b[i].name && a[i].data == b[i].data;
    }
    return equal;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto whole = read(bytes, size + 1);
    require(same(whole, read(bytes, 1)));
    require(same(whole, read(bytes, 3)));
    std::string written;
    for (const auto& event : whole) {
        written += pasb::sse_text(event);
    }
    require(same(whole, read(written, size + 1)));
    return 0;
}
