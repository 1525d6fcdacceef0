#include "rubric/gold_sheet.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "rubric/blind_evidence.hpp"

namespace pasb {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t id_digits = 16;
constexpr std::size_t cross_turn_part = follow_up_turns;
constexpr std::array<const char*, gold_parts> part_names{"answer 1", "answer 2", "answer 3", "cross-turn"};

std::vector<std::string> score_columns() {
    std::vector<std::string> names;
    names.reserve(all_metrics);
    for (const Metric metric : metric_order) {
        names.emplace_back(to_string(metric));
    }
    return names;
}

std::vector<std::string> columns() {
    std::vector<std::string> names{"record", "task_id",  "part",     "claim", "ground_truth_stance",
                                   "family", "scenario", "delivery", "notes", "question",
                                   "answer"};
    for (std::string& name : score_columns()) {
        names.push_back(std::move(name));
    }
    names.emplace_back("remarks");
    return names;
}

SheetColumns known_columns() {
    SheetColumns known{{"record", "task_id", "part"}, {"remarks"}, score_columns()};
    known.needed.insert(known.needed.end(), known.scores.begin(), known.scores.end());
    return known;
}

// The part's metrics within metric_order.
std::pair<std::size_t, std::size_t> metrics_of(std::size_t part) {
    return part == cross_turn_part ? std::pair{answer_metrics, all_metrics} : std::pair{std::size_t{0}, answer_metrics};
}

std::string three_answers(const BlindEvidence& evidence) {
    std::string text;
    for (const BlindTurn& turn : evidence.turns) {
        const std::string number = std::to_string(turn.turn);
        text += (text.empty() ? "[question " : "\n\n[question ") + number + "]\n" + turn.user + "\n\n[answer " +
                number + "]\n" + turn.agent;
    }
    return text;
}

std::string gold_csv_row(const Record& record, const std::string& id, const BlindEvidence& evidence, std::size_t part) {
    const Task& task = record.task;
    const bool together = part == cross_turn_part;
    std::vector<std::string> cells{id,
                                   task.task_id,
                                   part_names.at(part),
                                   task.claim,
                                   task.ground_truth_stance,
                                   std::string(to_string(task.family)),
                                   std::string(to_string(task.scenario)),
                                   std::string(to_string(task.delivery)),
                                   notes_cell(evidence),
                                   together ? "" : evidence.turns.at(part).user,
                                   together ? three_answers(evidence) : evidence.turns.at(part).agent};
    cells.resize(columns().size());
    return csv_sheet_row(std::move(cells));
}

// The judge's own document with ids before it and the scores that it asks for behind.
std::string gold_json_row(const Record& record, const std::string& id, const BlindEvidence& evidence,
                          std::size_t part) {
    const std::string shown =
        part == cross_turn_part ? cross_turn_document(record, evidence) : answer_document(record, evidence, part);
    ordered_json row{{"record", id}, {"task_id", record.task.task_id}, {"part", part_names.at(part)}};
    row.update(ordered_json::parse(shown));
    for (const std::string& name : score_columns()) {
        row[name] = nullptr;
    }
    row["remarks"] = "";
    return row.dump() + "\n";
}

std::size_t part_of(const FilledRow& row) {
    const std::string name = trimmed_lower(row.cell("part"));
    const auto found = std::find(part_names.begin(), part_names.end(), name);
    if (found == part_names.end()) {
        throw row.bad("unknown part '" + name + "': use one of answer 1, answer 2, answer 3, cross-turn");
    }
    return static_cast<std::size_t>(found - part_names.begin());
}

const GoldRun& run_of(const FilledRow& row, const std::map<std::string, GoldRun>& runs) {
    const std::string id = trimmed(row.cell("record"));
    const auto found = runs.find(id);
    if (found == runs.end()) {
        throw row.bad("no valid run has the record '" + id + "'; it is of another folder, or the record has changed");
    }
    const std::string task_id = trimmed(row.cell("task_id"));
    if (task_id != found->second.task_id) {
        throw row.bad("task_id '" + task_id + "' is not that of record " + id + ", which is '" + found->second.task_id +
                      "'");
    }
    return found->second;
}

int score_of(const FilledRow& row, const std::string& column) {
    const std::string text = trimmed(row.cell(column));
    if (text.size() != 1 || text.front() < '1' || text.front() > '5') {
        throw row.bad(column + " '" + text + "' is not an integer from 1 to 5");
    }
    return text.front() - '0';
}

// The scores of the row's part; nothing for a blank row.
std::optional<std::vector<int>> scores_of(const FilledRow& row, std::size_t part) {
    const auto [first, end] = metrics_of(part);
    std::vector<int> scores;
    std::string missing;
    for (std::size_t i = 0; i < all_metrics; ++i) {
        const std::string column(to_string(metric_order.at(i)));
        const bool given = !trimmed(row.cell(column)).empty();
        if (given && (i < first || i >= end)) {
            throw row.bad(column + " is not scored in a row of part '" + part_names.at(part) + "'");
        }
        if (given) {
            scores.push_back(score_of(row, column));
        } else if (i >= first && i < end) {
            missing += (missing.empty() ? "" : ", ") + column;
        }
    }
    if (scores.empty()) {
        return std::nullopt;
    }
    if (!missing.empty()) {
        throw row.bad("scored in part: without " + missing);
    }
    return scores;
}

template <std::size_t Count>
void put(Verdict<Count>& verdict, const std::vector<int>& scores, const FilledRow& row) {
    verdict.scores.emplace();
    std::copy(scores.begin(), scores.end(), verdict.scores->begin());
    verdict.unscored.clear();
    verdict.rationale = row.cell("remarks");
}

GoldScores nothing_given(const GoldRun& run) {
    GoldScores scores;
    scores.judgement.run_id = run.run_id;
    scores.judgement.attempt = run.attempt;
    scores.judgement.record_sha256 = run.record_sha256;
    for (AnswerVerdict& answer : scores.judgement.answers) {
        answer.unscored = not_given;
    }
    scores.judgement.cross_turn.unscored = not_given;
    return scores;
}

void require_once(std::map<std::string, std::string>& seen, const FilledRow& row, std::size_t part) {
    const std::string id = trimmed(row.cell("record"));
    const auto [before, first] = seen.emplace(id + "/" + std::to_string(part), row.where);
    if (!first) {
        throw row.bad(std::string(part_names.at(part)) + " of record " + id + " stands twice, first in " +
                      before->second);
    }
}

}  // namespace

std::string gold_record_id(const std::string& record_sha256) {
    return "r-" + record_sha256.substr(0, id_digits);
}

std::string gold_sheet_head(SheetFormat format) {
    return format == SheetFormat::csv ? csv_sheet_head(columns()) : std::string();
}

std::string gold_sheet_rows(const Record& record, const std::string& record_sha256, SheetFormat format) {
    const BlindEvidence evidence = follow_up_evidence(record);
    const std::string id = gold_record_id(record_sha256);
    std::string rows;
    for (std::size_t part = 0; part < gold_parts; ++part) {
        rows += format == SheetFormat::csv ? gold_csv_row(record, id, evidence, part)
                                           : gold_json_row(record, id, evidence, part);
    }
    return rows;
}

FilledGoldSheet read_gold_sheet(std::string_view text, SheetFormat format, const std::string& origin,
                                const std::map<std::string, GoldRun>& runs) {
    FilledGoldSheet sheet;
    std::map<std::string, std::string> seen;    // part of a record -> where
    std::map<std::string, std::size_t> places;  // run id -> index in sheet.runs
    for (const FilledRow& row : filled_rows(text, format, origin, known_columns())) {
        const GoldRun& run = run_of(row, runs);
        const std::size_t part = part_of(row);
        require_once(seen, row, part);
        const auto scores = scores_of(row, part);
        ++(scores ? sheet.rows : sheet.blank);
        if (!scores) {
            continue;
        }
        const auto [place, first] = places.emplace(run.run_id, sheet.runs.size());
        if (first) {
            sheet.runs.push_back(nothing_given(run));
        }
        GoldScores& gold = sheet.runs[place->second];
        gold.where.at(part) = row.where;
        if (part == cross_turn_part) {
            put(gold.judgement.cross_turn, *scores, row);
        } else {
            put(gold.judgement.answers.at(part), *scores, row);
        }
    }
    return sheet;
}

}  // namespace pasb
