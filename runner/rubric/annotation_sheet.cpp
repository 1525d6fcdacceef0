#include "rubric/annotation_sheet.hpp"

#include <array>
#include <utility>

#include "model/errors.hpp"
#include "rubric/blind_evidence.hpp"

namespace pasb {
namespace {

using nlohmann::ordered_json;

// What people fill in, in the order of the columns; `notes` are their remarks.
constexpr std::array<const char*, 4> label_columns{"stance", "role_upgrade", "attribution_removed", "notes"};
const SheetColumns known_columns{{"run_id", "task_id", "stance", "role_upgrade", "attribution_removed"}, {"notes"}, {}};

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

std::string annotation_csv_row(const Record& record, const BlindEvidence& evidence) {
    std::vector<std::string> cells{record.run_id, record.task.task_id, record.task.claim,
                                   record.task.ground_truth_stance};
    for (const BlindTurn& turn : evidence.turns) {
        cells.push_back(turn.user);
        cells.push_back(turn.agent);
    }
    cells.push_back(notes_cell(evidence));
    cells.resize(columns().size());
    return csv_sheet_row(std::move(cells));
}

std::string annotation_json_row(const Record& record, const BlindEvidence& evidence) {
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

bool boolean_from(const FilledRow& row) {
    const std::string word = trimmed_lower(row.cell("attribution_removed"));
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
        annotation.stance = stance_from(trimmed_lower(row.cell("stance")));
        annotation.role_upgrade = promotion_from(trimmed_lower(row.cell("role_upgrade")));
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

std::string sheet_head(SheetFormat format) {
    return format == SheetFormat::csv ? csv_sheet_head(columns()) : std::string();
}

std::string sheet_row(const Record& record, SheetFormat format) {
    const BlindEvidence evidence = first_chat_evidence(record);
    return format == SheetFormat::csv ? annotation_csv_row(record, evidence) : annotation_json_row(record, evidence);
}

FilledSheet read_sheet(std::string_view text, SheetFormat format, const std::string& origin,
                       const std::map<std::string, SheetRun>& runs) {
    FilledSheet sheet;
    std::map<std::string, std::string> seen;  // run id -> where
    for (const FilledRow& row : filled_rows(text, format, origin, known_columns)) {
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
