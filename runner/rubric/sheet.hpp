// A sheet that people fill in, whatever is asked in it: CSV or JSON lines to rows of text by column, and rows to CSV.
// Knows no labels and no scores (rubric/annotation_sheet.hpp, rubric/gold_sheet.hpp); reads and writes no file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/errors.hpp"
#include "rubric/blind_evidence.hpp"

namespace pasb {

enum class SheetFormat { jsonl, csv };

// By the name's ending; throws InputError that names the accepted ones.
SheetFormat sheet_format_of(const std::string& file);

// With the byte order mark without which some spreadsheets take UTF-8 for something else.
std::string csv_sheet_head(const std::vector<std::string>& columns);

// One row whose cells no spreadsheet computes.
std::string csv_sheet_row(std::vector<std::string> cells);

// All notes in one cell, each under its name in brackets.
std::string notes_cell(const BlindEvidence& evidence);

// A row as text by column, whichever format it came from.
struct FilledRow {
    std::string where;  // "file:line"
    std::map<std::string, std::string> cells;

    [[nodiscard]] std::string cell(const std::string& name) const;  // empty where there is none
    [[nodiscard]] InputError bad(const std::string& what) const { return InputError(where + ": " + what); }
};

struct SheetColumns {
    std::vector<std::string> needed;  // must be there
    std::vector<std::string> texts;   // may be left out, but hold text
    std::vector<std::string> scores;  // of `needed`: JSON may give them as numbers
};

// Rows in order, without those that have no text in any cell. Columns that `columns` does not name are passed over.
// Throws InputError with `origin`:line for a missing or repeated column, more cells than columns, and a JSON line that
// is no object or has something else than text in a column.
std::vector<FilledRow> filled_rows(std::string_view text, SheetFormat format, const std::string& origin,
                                   const SheetColumns& columns);

std::string trimmed(std::string_view text);
std::string trimmed_lower(std::string_view text);  // letters of ASCII

}  // namespace pasb
