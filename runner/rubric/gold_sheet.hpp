// The sheet by which people score answers as a judge does: a row an answer and one for the three together, with the
// evidence that a judge is given and empty columns for the scores (configs/schemas/judgement.md). Bytes to rows and
// back; reads and writes no file.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/judgement.hpp"
#include "model/record.hpp"
#include "rubric/sheet.hpp"

namespace pasb {

// The three answers and the three together.
inline constexpr std::size_t gold_parts = follow_up_turns + 1;

// What a call is that the person has given no scores for.
inline constexpr const char* not_given = "not given";

// How a sheet names a record. A run id would tell the framework; this tells nothing, and belongs to one state of the
// record. Begins with a letter, so that no spreadsheet takes it for a number.
std::string gold_record_id(const std::string& record_sha256);

// The head of a CSV sheet; nothing for JSONL.
std::string gold_sheet_head(SheetFormat format);

// A run's four rows with empty scores. `record` must have three answers.
std::string gold_sheet_rows(const Record& record, const std::string& record_sha256, SheetFormat format);

// What a sheet is joined to.
struct GoldRun {
    std::string run_id;
    std::string task_id;
    int attempt = 1;
    std::string record_sha256;
};

// One run's scores: name, time and what was hidden are the caller's.
struct GoldScores {
    Judgement judgement;
    std::array<std::string, gold_parts> where;  // "file:line" of each part's row; empty where there is none
};

struct FilledGoldSheet {
    std::vector<GoldScores> runs;  // with a score at least, in the order of the sheet
    std::size_t rows = 0;          // with scores
    std::size_t blank = 0;         // without
};

// `runs` by gold_record_id. Whole or not at all: throws InputError with `origin`:line for an unknown record, a task id
// that is not the record's, an unknown part or a repeated one, a score that is no integer from 1 to 5 or belongs to
// another part, a row that is scored in part, and a missing column. Columns that it does not know are passed over.
FilledGoldSheet read_gold_sheet(std::string_view text, SheetFormat format, const std::string& origin,
                                const std::map<std::string, GoldRun>& runs);

}  // namespace pasb
