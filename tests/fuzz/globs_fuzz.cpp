// Globs and paths are bytes: the first line is the glob, the rest the path.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "changes/path_rules.hpp"
#include "changes/printable.hpp"
#include "model/utf8.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t line = input.find('\n');
    if (line == std::string_view::npos) {
        return 0;
    }
    const std::string_view path = input.substr(line + 1);
    pasb::glob_matches(input.substr(0, line), path);
    if (!pasb::is_utf8(pasb::printable(path))) {
        __builtin_trap();
    }
    return 0;
}
