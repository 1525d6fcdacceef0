// Any bytes as an archive of a home: refused as broken, or read within the limits.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/errors.hpp"
#include "wire/archive.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view tar(reinterpret_cast<const char*>(data), size);
    pasb::ArchiveLimits limits;
    limits.entries = 50;
    limits.name_bytes = 300;
    limits.kept_file_bytes = 1000;
    limits.kept_total_bytes = 4000;
    limits.read_bytes = 1U << 20U;
    try {
        const pasb::ArchiveContent content = pasb::read_snapshot(tar, "agent", limits);
        std::uint64_t kept = 0;
        for (const auto& [path, entry] : content.files) {
            kept += entry.content.size();
            if (path.empty() || path.size() > limits.name_bytes || path.front() == '/' ||
                ("/" + path + "/").find("/../") != std::string::npos) {
                std::abort();
            }
        }
        if (content.files.size() > limits.entries || kept > limits.kept_total_bytes ||
            content.truncated == content.what.empty()) {
            std::abort();
        }
    } catch (const pasb::EngineError&) {
    }
    return 0;
}
