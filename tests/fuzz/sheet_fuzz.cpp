// Any bytes as a sheet that somebody filled in: nothing but InputError comes out, and cells survive being written and
// read again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/errors.hpp"
#include "rubric/annotation_sheet.hpp"
#include "rubric/csv.hpp"

namespace {

void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

void check_rows(const std::string& text) {
    for (const pasb::CsvRow& row : pasb::parse_csv(text, "f")) {
        std::vector<std::string> cells{"run_id"};
        for (const std::string& cell : row.cells) {
            require(pasb::unguard_formula(pasb::guard_formula(cell)) == cell);
            cells.push_back(pasb::guard_formula(cell));
        }
        // A first row decides the separator, so it is one that holds commas alone.
        const auto again =
            pasb::parse_csv(pasb::csv_row(std::vector<std::string>(cells.size())) + pasb::csv_row(cells), "f");
        require(!again.empty() && again.back().cells == cells);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::map<std::string, pasb::SheetRun> runs{{"r", {"t", "m", "f", "s"}}};
    for (const pasb::SheetFormat format : {pasb::SheetFormat::csv, pasb::SheetFormat::jsonl}) {
        try {
            const pasb::FilledSheet sheet = pasb::read_sheet(text, format, "f", runs);
            require(sheet.annotations.size() + sheet.blank <= runs.size());
        } catch (const pasb::InputError&) {
            // Refused, with its place.
        }
    }
    try {
        check_rows(text);
    } catch (const pasb::InputError&) {
        // No CSV.
    }
    return 0;
}
