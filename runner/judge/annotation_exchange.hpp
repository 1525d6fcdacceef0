// Sheets for people to and from files: what they hold is rubric/annotation_sheet's matter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace pasb {

// Writes the valid runs' rows; `sample` of them drawn by `seed` (valid_runs.hpp), 0: all. Refuses to replace a file,
// which may hold somebody's labels. Returns the number of rows. Throws InputError.
std::size_t export_sheet(const std::filesystem::path& out, const std::string& file, std::size_t sample,
                         std::uint64_t seed);

struct ImportResult {
    std::size_t added = 0;
    std::size_t blank = 0;   // rows without labels
    std::size_t before = 0;  // there already, with the same labels
    std::filesystem::path torn_file;
};

// Into OUT/annotations.jsonl, all rows or none. `annotator` is who filled the sheet in. Throws InputError as
// read_sheet, and for a run that this annotator has labelled otherwise before.
ImportResult import_sheet(const std::filesystem::path& out, const std::string& file, const std::string& annotator);

}  // namespace pasb
