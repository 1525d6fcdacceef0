#include "rubric/sheet.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "rubric/csv.hpp"
#include "wire/json_splice.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr std::size_t deepest_row = 32;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view space = " \t\r\n";

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void require_columns(const SheetColumns& columns, const std::set<std::string>& present, const std::string& where) {
    for (const std::string& name : columns.needed) {
        if (!present.contains(name)) {
            throw InputError(where + ": column '" + name + "' is missing; keep the exported sheet's columns");
        }
    }
}

std::vector<std::string> csv_head(const CsvRow& line, const std::string& where, const SheetColumns& columns) {
    std::vector<std::string> head;
    for (const std::string& name : line.cells) {
        head.push_back(trimmed_lower(name));
        if (!head.back().empty() && std::count(head.begin(), head.end(), head.back()) > 1) {
            throw InputError(where + ": column '" + head.back() + "' stands twice");
        }
    }
    require_columns(columns, {head.begin(), head.end()}, where);
    return head;
}

std::vector<FilledRow> csv_rows(std::string_view text, const std::string& origin, const SheetColumns& columns) {
    std::vector<std::string> head;
    std::vector<FilledRow> rows;
    for (const CsvRow& line : parse_csv(text, origin)) {
        FilledRow row{origin + ":" + std::to_string(line.line), {}};
        if (head.empty()) {
            head = csv_head(line, row.where, columns);
            continue;
        }
        if (line.cells.size() > head.size()) {
            throw row.bad("more cells than the head has columns; a cell with a separator must be in quotes");
        }
        for (std::size_t i = 0; i < line.cells.size(); ++i) {
            row.cells[head[i]] = unguard_formula(line.cells[i]);
        }
        // Spreadsheets leave rows of nothing but separators behind.
        if (std::any_of(row.cells.begin(), row.cells.end(),
                        [](const auto& cell) { return !trimmed(cell.second).empty(); })) {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

FilledRow json_row(std::string_view line, std::string where, const SheetColumns& columns) {
    FilledRow row{std::move(where), {}};
    const json value =
        nesting_depth(line) > deepest_row ? json(json::value_t::discarded) : json::parse(line, nullptr, false);
    if (!value.is_object()) {
        throw row.bad("not a JSON object");
    }
    std::set<std::string> present;
    for (const auto& [name, cell] : value.items()) {
        present.insert(name);
        if (cell.is_string()) {
            row.cells[name] = cell.get<std::string>();
        } else if (cell.is_boolean()) {
            row.cells[name] = cell.get<bool>() ? "true" : "false";
        } else if (cell.is_number() && contains(columns.scores, name)) {
            row.cells[name] = cell.dump();
        } else if (!cell.is_null() && (contains(columns.needed, name) || contains(columns.texts, name))) {
            throw row.bad("'" + name + "' is " + std::string(cell.type_name()) + ", not text");
        }
    }
    require_columns(columns, present, row.where);
    return row;
}

std::vector<FilledRow> json_rows(std::string_view text, const std::string& origin, const SheetColumns& columns) {
    text.remove_prefix(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    std::vector<FilledRow> rows;
    int number = 0;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        ++number;
        if (!trimmed(line).empty()) {
            rows.push_back(json_row(line, origin + ":" + std::to_string(number), columns));
        }
    }
    return rows;
}

}  // namespace

SheetFormat sheet_format_of(const std::string& file) {
    if (file.ends_with(".jsonl")) {
        return SheetFormat::jsonl;
    }
    if (file.ends_with(".csv")) {
        return SheetFormat::csv;
    }
    throw InputError(file + ": a sheet's name must end with .jsonl or .csv");
}

std::string csv_sheet_head(const std::vector<std::string>& columns) {
    return std::string(byte_order_mark) + csv_row(columns);
}

std::string csv_sheet_row(std::vector<std::string> cells) {
    std::transform(cells.begin(), cells.end(), cells.begin(), guard_formula);
    return csv_row(cells);
}

std::string notes_cell(const BlindEvidence& evidence) {
    std::string text;
    for (const BlindNote& note : evidence.notes) {
        text += (text.empty() ? "[" : "\n\n[") + note.name + "]\n" + note.text;
    }
    return text;
}

std::string FilledRow::cell(const std::string& name) const {
    const auto found = cells.find(name);
    return found == cells.end() ? std::string() : found->second;
}

std::vector<FilledRow> filled_rows(std::string_view text, SheetFormat format, const std::string& origin,
                                   const SheetColumns& columns) {
    return format == SheetFormat::csv ? csv_rows(text, origin, columns) : json_rows(text, origin, columns);
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(space);
    return first == std::string_view::npos ? ""
                                           : std::string(text.substr(first, text.find_last_not_of(space) - first + 1));
}

std::string trimmed_lower(std::string_view text) {
    std::string word = trimmed(text);
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return word;
}

}  // namespace pasb
