// Scores by people to and from files: what a sheet holds is rubric/gold_sheet's matter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace pasb {

inline constexpr const char* gold_file = "gold.jsonl";

// Writes the valid runs' rows in an order that tells nothing; `sample` of the runs drawn by `seed` (valid_runs.hpp),
// 0: all. Refuses to replace a file, which may hold somebody's scores. Returns the number of runs. Throws InputError.
std::size_t export_gold_sheet(const std::filesystem::path& out, const std::string& file, std::size_t sample,
                              std::uint64_t seed);

struct GoldImport {
    std::size_t rows = 0;    // with scores, in the sheet
    std::size_t blank = 0;   // without
    std::size_t added = 0;   // runs written
    std::size_t before = 0;  // runs whose scores were all there already
    std::filesystem::path torn_file;
};

// Into OUT/gold.jsonl, all rows or none. `person` is who filled the sheet in; what a later sheet of theirs adds to a
// run joins what is there. Throws InputError as read_gold_sheet, for an answer that this person has scored otherwise
// before, and for a name that a judge of this folder has.
GoldImport import_gold_sheet(const std::filesystem::path& out, const std::string& file, const std::string& person);

}  // namespace pasb
