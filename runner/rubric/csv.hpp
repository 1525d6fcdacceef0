// Comma-separated values after RFC 4180, as spreadsheets write and read them. Not a guesser of types: every cell is
// text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pasb {

struct CsvRow {
    int line = 0;  // where it begins, from 1; a quoted cell may span several lines
    std::vector<std::string> cells;
};

// Takes CRLF, LF and CR as ends of rows, quoted cells with doubled quotes and newlines, and a byte order mark. The
// separator is the comma, or the semicolon or tab that spreadsheets of some languages use, as the first row shows. Rows
// without any cell are passed over. Throws InputError with `origin`:line for a quote that is never closed, for text
// behind a closing quote, and for bytes that are not UTF-8.
std::vector<CsvRow> parse_csv(std::string_view text, const std::string& origin);

// One row with its CRLF; cells are quoted where they must be.
std::string csv_row(const std::vector<std::string>& cells);

// A spreadsheet computes what begins with = + - @ (or a tab or carriage return before them), so such a text gets an
// apostrophe in front; so does one that begins with an apostrophe, which makes this reversible.
std::string guard_formula(const std::string& text);
std::string unguard_formula(const std::string& cell);

}  // namespace pasb
