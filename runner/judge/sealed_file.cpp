#include "judge/sealed_file.hpp"

#include "model/errors.hpp"
#include "wire/json_splice.hpp"
#include "wire/seal.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t deepest_line = 64;

json sealed_line(std::string_view text) {
    json value =
        nesting_depth(text) > deepest_line ? json(json::value_t::discarded) : json::parse(text, nullptr, false);
    if (!value.is_object()) {
        throw InputError("not a JSON object; remove the line, and what it said is made again");
    }
    if (!seal_holds(value)) {
        throw InputError(
            "its `sha256` is not that of the line: something has changed it since; remove the line, and "
            "what it said is made again");
    }
    return value;
}

}  // namespace

std::uint64_t read_sealed(const fs::path& file, const std::function<void(const json&)>& each) {
    if (!fs::exists(file)) {
        return 0;
    }
    return for_each_line(file, [&](const FileLine& line) {
        try {
            each(sealed_line(line.text));
        } catch (const InputError& error) {
            throw InputError(file.string() + ":" + std::to_string(line.number) + ": " + error.what());
        }
    });
}

SealedFile::SealedFile(const fs::path& file, const std::function<void(const json&)>& each) {
    lines_ = std::make_unique<LineWriter>(file);
    const std::uint64_t whole = read_sealed(file, each);
    if (whole != fs::file_size(file)) {
        torn_file_ = set_tail_aside(file, whole);
    }
}

void SealedFile::append(const json& object) {
    const std::string line = sealed(object).dump(-1, ' ', false, json::error_handler_t::replace);
    const std::lock_guard lock(mutex_);
    lines_->append(line);
}

}  // namespace pasb
