// Any bytes as an engine's answer: read, or refused with the one typed error.
#include <cstdint>
#include <string_view>

#include "model/errors.hpp"
#include "wire/engine_json.hpp"

namespace {

template <typename Parser>
void try_parse(const Parser& parser, std::string_view body) {
    try {
        parser(body);
    } catch (const pasb::EngineError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    pasb::engine_error_text(body);
    try_parse(pasb::parse_container, body);
    try_parse(pasb::parse_container_list, body);
    try_parse(pasb::parse_image, body);
    try_parse(pasb::parse_image_list, body);
    try_parse(pasb::parse_changes, body);
    try_parse(pasb::parse_version, body);
    try_parse(pasb::parse_info, body);
    try_parse(pasb::parse_exec, body);
    try_parse(pasb::parse_created_id, body);
    try_parse(pasb::parse_wait_status, body);
    return 0;
}
