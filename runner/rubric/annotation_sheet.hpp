// The sheet that people fill in: one row a run, with what an annotator may see and empty columns for the labels
// (configs/schemas/annotation.md). Bytes to rows and back; reads and writes no file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/annotation.hpp"
#include "model/record.hpp"
#include "rubric/sheet.hpp"

namespace pasb {

// The head of a CSV sheet, byte order mark included; nothing for JSONL.
std::string sheet_head(SheetFormat format);

// A run's row with empty labels. Texts are those of first_chat_evidence: whole up to its budget, names hidden, notes
// named by kind and order. The run id still tells the framework.
std::string sheet_row(const Record& record, SheetFormat format);

// What a sheet is joined to.
struct SheetRun {
    std::string task_id;
    std::string model;
    std::string framework;
    std::string record_sha256;
};

struct FilledSheet {
    std::vector<Annotation> annotations;  // annotator and time are the caller's
    std::size_t blank = 0;                // rows whose label columns are all empty
};

// Whole or not at all: throws InputError with `origin`:line for an unknown or repeated run id, a task id, model or
// framework that is not the run's, an unknown label, a row that is labelled in part, and a missing column. Columns that
// it does not know are passed over. Labels may be in capitals; attribution_removed also takes yes and no.
FilledSheet read_sheet(std::string_view text, SheetFormat format, const std::string& origin,
                       const std::map<std::string, SheetRun>& runs);

}  // namespace pasb
