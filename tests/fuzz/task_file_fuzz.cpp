// Any bytes as a task file of either format, or as an adapter: read, or refused as bad input.
#include <cstdint>
#include <string_view>

#include "agent/adapter_file.hpp"
#include "model/errors.hpp"
#include "plan/task_file.hpp"

namespace {

template <typename Parser>
void try_parse(const Parser& parser, std::string_view text) {
    try {
        parser(text, "file");
    } catch (const pasb::InputError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try_parse(pasb::parse_release_jsonl, text);
    try_parse(pasb::parse_task_yaml, text);
    try_parse(pasb::parse_adapter, text);
    return 0;
}
