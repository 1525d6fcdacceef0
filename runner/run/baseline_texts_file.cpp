#include "run/baseline_texts_file.hpp"

#include <nlohmann/json.hpp>

#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "run/line_file.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view baseline_notes_schema = "pasb.baseline-notes/1";

fs::path file_of(const fs::path& out, const std::string& framework) {
    return out / "baseline-notes" / (framework + ".json");
}

}  // namespace

void write_baseline_texts(const fs::path& out, const std::string& framework, const Manifest& manifest,
                          const Snapshot& home) {
    json notes = json::array();
    for (const auto& [path, entry] : manifest) {
        const auto found = home.find(path);
        if (!is_note(entry.kind) || entry.type != FileType::regular || found == home.end() ||
            !found->second.content_kept) {
            continue;
        }
        json note;
        put_bytes(note, "path", path);
        put_bytes(note, "text", found->second.content);
        notes.push_back(note);
    }
    const fs::path file = file_of(out, framework);
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error) {
        throw InputError(file.parent_path().string() + ": cannot be created: " + error.message());
    }
    write_whole(file, json{{"schema", baseline_notes_schema}, {"notes", notes}}.dump(1) + "\n");
}

BaselineTexts read_baseline_texts(const fs::path& out, const std::string& framework) {
    const fs::path file = file_of(out, framework);
    if (!fs::exists(file)) {
        return {};
    }
    const json value = json::parse(read_file(file.string()), nullptr, false);
    try {
        if (value.at("schema") != baseline_notes_schema) {
            throw InputError(file.string() + ": its `schema` is not " + std::string(baseline_notes_schema));
        }
        BaselineTexts texts;
        for (const json& note : value.at("notes")) {
            texts.emplace(get_bytes(note, "path"), get_bytes(note, "text"));
        }
        return texts;
    } catch (const json::exception& error) {
        throw InputError(file.string() + ": not the notes of a baseline: " + error.what());
    }
}

}  // namespace pasb
