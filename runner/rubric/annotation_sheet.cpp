#include "rubric/annotation_sheet.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "model/errors.hpp"
#include "model/utf8.hpp"
#include "rubric/blind_evidence.hpp"
#include "rubric/csv.hpp"
#include "wire/json_splice.hpp"

namespace pasb {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t deepest_row = 32;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view space = " \t\r\n";

// What people fill in, in the order of the columns; `notes` are their remarks.
constexpr std::array<const char*, 4> label_columns{"stance", "role_upgrade", "attribution_removed", "notes"};
constexpr std::array<const char*, 5> needed_columns{"run_id", "task_id", "stance", "role_upgrade",
                                                    "attribution_removed"};

std::vector<std::string> columns() {
    std::vector<std::string> names{"run_id", "task_id", "claim", "ground_truth_stance"};
    for (int turn = 1; turn <= first_chat_turns; ++turn) {
        names.push_back("turn_" + std::to_string(turn) + "_user");
        names.push_back("turn_" + std::to_string(turn) + "_agent");
    }
    names.emplace_back("captured_state");
    names.insert(names.end(), label_columns.begin(), label_columns.end());
    return names;
}

std::string csv_sheet_row(const Record& record, const BlindEvidence& evidence) {
    std::vector<std::string> cells{record.run_id, record.task.task_id, record.task.claim,
                                   record.task.ground_truth_stance};
    for (const BlindTurn& turn : evidence.turns) {
        cells.push_back(turn.user);
        cells.push_back(turn.agent);
    }
    std::string state;
    for (const BlindNote& note : evidence.notes) {
        state += (state.empty() ? "[" : "\n\n[") + note.name + "]\n" + note.text;
    }
    cells.push_back(state);
    cells.resize(columns().size());
    std::transform(cells.begin(), cells.end(), cells.begin(), guard_formula);
    return csv_row(cells);
}

std::string json_sheet_row(const Record& record, const BlindEvidence& evidence) {
    ordered_json row{{"run_id", record.run_id},
                     {"task_id", record.task.task_id},
                     {"claim", record.task.claim},
                     {"ground_truth_stance", record.task.ground_truth_stance}};
    row["turns"] = ordered_json::array();
    for (const BlindTurn& turn : evidence.turns) {
        row["turns"].push_back({{"turn", turn.turn}, {"user", turn.user}, {"agent", turn.agent}});
    }
    row["captured_state"] = ordered_json::array();
    for (const BlindNote& note : evidence.notes) {
        row["captured_state"].push_back({{"name", note.name}, {"text", note.text}});
    }
    row["stance"] = "";
    row["role_upgrade"] = "";
    row["attribution_removed"] = nullptr;
    row["notes"] = "";
    return row.dump() + "\n";
}

// A row as text by column, whichever format it came from.
struct FilledRow {
    std::string where;  // "file:line"
    std::map<std::string, std::string> cells;

    [[nodiscard]] std::string cell(const std::string& name) const {
        const auto found = cells.find(name);
        return found == cells.end() ? std::string() : found->second;
    }
    [[nodiscard]] InputError bad(const std::string& what) const { return InputError(where + ": " + what); }
};

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(space);
    return first == std::string_view::npos ? ""
                                           : std::string(text.substr(first, text.find_last_not_of(space) - first + 1));
}

std::string folded(std::string_view text) {
    std::string word = trimmed(text);
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return word;
}

void require_columns(const std::set<std::string>& present, const std::string& where) {
    for (const char* const name : needed_columns) {
        if (!present.contains(name)) {
            throw InputError(where + ": column '" + name + "' is missing; keep the exported sheet's columns");
        }
    }
}

std::vector<FilledRow> csv_rows(std::string_view text, const std::string& origin) {
    const std::vector<CsvRow> table = parse_csv(text, origin);
    std::vector<std::string> head;
    std::vector<FilledRow> rows;
    for (const CsvRow& line : table) {
        FilledRow row{origin + ":" + std::to_string(line.line), {}};
        if (head.empty()) {
            for (const std::string& name : line.cells) {
                head.push_back(folded(name));
                if (!head.back().empty() && std::count(head.begin(), head.end(), head.back()) > 1) {
                    throw row.bad("column '" + head.back() + "' stands twice");
                }
            }
            require_columns({head.begin(), head.end()}, row.where);
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

FilledRow json_row(std::string_view line, std::string where) {
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
        } else if (!cell.is_null() &&
                   (std::find(needed_columns.begin(), needed_columns.end(), name) != needed_columns.end() ||
                    name == label_columns.back())) {
            throw row.bad("'" + name + "' is " + std::string(cell.type_name()) + ", not text");
        }
    }
    require_columns(present, row.where);
    return row;
}

std::vector<FilledRow> json_rows(std::string_view text, const std::string& origin) {
    text.remove_prefix(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    std::vector<FilledRow> rows;
    int number = 0;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        ++number;
        if (!trimmed(line).empty()) {
            rows.push_back(json_row(line, origin + ":" + std::to_string(number)));
        }
    }
    return rows;
}

bool boolean_from(const FilledRow& row) {
    const std::string word = folded(row.cell("attribution_removed"));
    if (word == "true" || word == "yes") {
        return true;
    }
    if (word == "false" || word == "no") {
        return false;
    }
    throw row.bad("unknown attribution_removed '" + word + "': use one of true, false, yes, no");
}

void require_same(const FilledRow& row, const char* column, const std::string& of_run, bool may_be_absent) {
    const std::string given = trimmed(row.cell(column));
    if (given != of_run && !(may_be_absent && given.empty())) {
        throw row.bad(std::string(column) + " '" + given + "' is not that of run " + trimmed(row.cell("run_id")) +
                      ", which is '" + of_run + "'");
    }
}

const SheetRun& run_of(const FilledRow& row, const std::map<std::string, SheetRun>& runs) {
    const std::string run_id = trimmed(row.cell("run_id"));
    const auto found = runs.find(run_id);
    if (found == runs.end()) {
        throw row.bad("no valid run '" + run_id + "' in this folder");
    }
    require_same(row, "task_id", found->second.task_id, false);
    require_same(row, "model", found->second.model, true);
    require_same(row, "framework", found->second.framework, true);
    return found->second;
}

Annotation annotation_from(const FilledRow& row, const SheetRun& run) {
    Annotation annotation;
    annotation.run_id = trimmed(row.cell("run_id"));
    annotation.task_id = run.task_id;
    annotation.model = run.model;
    annotation.framework = run.framework;
    annotation.record_sha256 = run.record_sha256;
    annotation.notes = row.cell("notes");
    try {
        annotation.stance = stance_from(folded(row.cell("stance")));
        annotation.role_upgrade = promotion_from(folded(row.cell("role_upgrade")));
    } catch (const InputError& error) {
        throw row.bad(error.what());
    }
    annotation.attribution_removed = boolean_from(row);
    return annotation;
}

int labels_in(const FilledRow& row) {
    int labels = 0;
    for (const char* const name : {"stance", "role_upgrade", "attribution_removed"}) {
        labels += trimmed(row.cell(name)).empty() ? 0 : 1;
    }
    return labels;
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

std::string sheet_head(SheetFormat format) {
    return format == SheetFormat::csv ? std::string(byte_order_mark) + csv_row(columns()) : std::string();
}

std::string sheet_row(const Record& record, SheetFormat format) {
    const BlindEvidence evidence = first_chat_evidence(record);
    return format == SheetFormat::csv ? csv_sheet_row(record, evidence) : json_sheet_row(record, evidence);
}

FilledSheet read_sheet(std::string_view text, SheetFormat format, const std::string& origin,
                       const std::map<std::string, SheetRun>& runs) {
    FilledSheet sheet;
    std::map<std::string, std::string> seen;  // run id -> where
    for (const FilledRow& row : format == SheetFormat::csv ? csv_rows(text, origin) : json_rows(text, origin)) {
        const SheetRun& run = run_of(row, runs);
        const auto [before, first] = seen.emplace(trimmed(row.cell("run_id")), row.where);
        if (!first) {
            throw row.bad("run " + before->first + " stands twice, first in " + before->second);
        }
        const int labels = labels_in(row);
        if (labels == 0) {
            ++sheet.blank;
        } else if (labels < 3) {
            throw row.bad("labelled in part: stance, role_upgrade and attribution_removed belong together");
        } else {
            sheet.annotations.push_back(annotation_from(row, run));
        }
    }
    return sheet;
}

}  // namespace pasb
