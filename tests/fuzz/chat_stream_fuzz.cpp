// Lines of JSON as chunks: nothing but NetError comes out, and a completion cut into chunks assembles to itself. The
// same bytes go through replace_members, which must keep them JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/errors.hpp"
#include "wire/chat_stream.hpp"
#include "wire/json_splice.hpp"

namespace {

using nlohmann::json;

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void splice(std::string_view text, const json& value) {
    try {
        const std::string out = pasb::replace_members(text, {{"model", "\"m\""}, {"temperature", std::nullopt}});
        json expected = value;
        expected["model"] = "m";
        expected.erase("temperature");
        require(json::parse(out) == expected);
    } catch (const pasb::InputError&) {
        // A member stands twice.
    }
}

json assemble(const std::vector<json>& chunks) {
    pasb::ChatAssembler assembler;
    for (const auto& chunk : chunks) {
        assembler.add(chunk);
    }
    return assembler.completion();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    std::vector<json> chunks;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
        json value = pasb::nesting_depth(line) > 200 ? json() : json::parse(line, nullptr, false);
        if (value.is_object()) {
            splice(line, value);
        }
        if (!value.is_discarded()) {
            chunks.push_back(std::move(value));
        }
    }
    try {
        const json whole = assemble(chunks);
        if (pasb::completion_problem(whole).empty()) {
            assemble(pasb::completion_chunks(whole, true));
        }
    } catch (const pasb::NetError&) {
        // Some line was no chunk.
    }
    return 0;
}
