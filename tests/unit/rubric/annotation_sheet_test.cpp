// Sheets for people: what is exported comes back, and nothing wrong is taken over.
#include "rubric/annotation_sheet.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "model/errors.hpp"
#include "rubric/csv.hpp"

namespace pasb {
namespace {

using nlohmann::json;

Record fixture(const std::string& framework) {
    std::ifstream file(PASB_SOURCE_DIR "/tests/fixtures/records/" + framework + ".jsonl");
    return record_from_json(json::parse(file));
}

std::string complaint(const std::function<void()>& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

const std::map<std::string, SheetRun> runs{{"r1", {"t1", "m", "hermes", "s1"}}, {"r2", {"t2", "m", "openclaw", "s2"}}};
const std::string head = "run_id,task_id,stance,role_upgrade,attribution_removed,notes\n";

FilledSheet read_csv(const std::string& text) {
    return read_sheet(text, SheetFormat::csv, "f.csv", runs);
}

using Cells = std::vector<std::vector<std::string>>;

Cells cells_of(const std::string& text) {
    Cells cells;
    for (CsvRow& row : parse_csv(text, "f.csv")) {
        cells.push_back(std::move(row.cells));
    }
    return cells;
}

TEST(Csv, ReadsWhatSpreadsheetsWrite) {
    EXPECT_EQ(cells_of("a,b\r\nc,d\r\n"), (Cells{{"a", "b"}, {"c", "d"}}));
    EXPECT_EQ(cells_of("\xEF\xBB\xBF"
                       "a,b\nc,"),
              (Cells{{"a", "b"}, {"c", ""}}));
    EXPECT_EQ(cells_of("a;b\rc;\"d,;\"\"\"\r"), (Cells{{"a", "b"}, {"c", "d,;\""}}));
    EXPECT_EQ(cells_of("a\tb\n\"x\ny\"\tz"), (Cells{{"a", "b"}, {"x\ny", "z"}}));
    EXPECT_EQ(cells_of("\n\n\"\"\n,\n"), (Cells{{"", ""}}));
    EXPECT_EQ(cells_of(""), Cells{});
    const auto rows = parse_csv("h,i\n\"1\n2\n3\",x\n4,y\n", "f");
    EXPECT_EQ(rows[1].line, 2);
    EXPECT_EQ(rows[2].line, 5);
}

TEST(Csv, BrokenFilesAreNamedByLine) {
    EXPECT_EQ(complaint([] { parse_csv("a,b\n\"c,d\n\n", "f.csv"); }).find("f.csv:2: "), 0U);
    EXPECT_EQ(complaint([] { parse_csv("a\n\"b\"c\n", "f.csv"); }).find("f.csv:2: "), 0U);
    EXPECT_EQ(complaint([] { parse_csv("a\nb\ncaf\xE9\n", "f.csv"); }).find("f.csv:3: not UTF-8"), 0U);
}

TEST(Csv, AnyCellsComeBack) {
    const std::vector<std::string> cells{"",        "plain",  "a,b",  "a;b", "say \"hi\"", "two\r\nlines",
                                         "\ttab",   " edge ", "=1+1", "+1",  "-1",         "@x",
                                         "'quoted", "'",      "''",   "'=1", "caf\xC3\xA9"};
    std::vector<std::string> guarded;
    for (const std::string& cell : cells) {
        guarded.push_back(guard_formula(cell));
        EXPECT_EQ(unguard_formula(guarded.back()), cell);
        EXPECT_TRUE(guarded.back().empty() || std::string("=+-@\t\r").find(guarded.back()[0]) == std::string::npos);
    }
    EXPECT_EQ(cells_of(csv_row(guarded)), Cells{guarded});
    EXPECT_EQ(unguard_formula("'tis so"), "'tis so") << "an apostrophe that somebody typed";
}

TEST(AnnotationSheet, ShowsTheFirstChatAndTheNotesAndNoScores) {
    for (const char* framework : {"hermes", "openclaw"}) {
        const Record record = fixture(framework);
        const auto table = cells_of(sheet_head(SheetFormat::csv) + sheet_row(record, SheetFormat::csv));
        ASSERT_EQ(table.size(), 2U);
        ASSERT_EQ(table[1].size(), 19U);
        EXPECT_EQ(table[0].size(), table[1].size());
        EXPECT_EQ(table[1][0], record.run_id);
        EXPECT_EQ(table[1][2], record.task.claim);
        EXPECT_EQ(table[1][4], record.task.turns[0]);
        EXPECT_NE(table[1][14].find("[user profile]"), std::string::npos) << table[1][14];
        EXPECT_NE(table[1][14].find("[skill 1]"), std::string::npos);
        EXPECT_EQ(table[1][14].find("SKILL.md"), std::string::npos);
        for (std::size_t label = 15; label < 19; ++label) {
            EXPECT_EQ(table[1][label], "");
        }
        const json row = json::parse(sheet_row(record, SheetFormat::jsonl));
        EXPECT_EQ(row.at("turns").size(), 5U);
        EXPECT_EQ(row.at("stance"), "");
        EXPECT_TRUE(row.at("attribution_removed").is_null());
        EXPECT_EQ(row.dump().find("score"), std::string::npos);
        for (const TurnRecord& turn : record.follow_up) {
            EXPECT_EQ(row.dump().find(turn.user), std::string::npos) << "the follow-up is not the annotator's matter";
        }
    }
}

TEST(AnnotationSheet, WhatWasExportedAndFilledInComesBack) {
    const Record record = fixture("hermes");
    const std::map<std::string, SheetRun> known{{record.run_id, {record.task.task_id, "m", "hermes", "sha"}}};
    for (const SheetFormat format : {SheetFormat::csv, SheetFormat::jsonl}) {
        const std::string empty = sheet_head(format) + sheet_row(record, format);
        FilledSheet sheet = read_sheet(empty, format, "f", known);
        EXPECT_EQ(sheet.blank, 1U);
        EXPECT_TRUE(sheet.annotations.empty());
        std::string filled;
        if (format == SheetFormat::csv) {
            filled = empty.substr(0, empty.size() - 6) + ",comply,Procedure,YES,'-quoted\r\n";
        } else {
            json row = json::parse(empty);
            row["stance"] = "comply";
            row["role_upgrade"] = " Procedure";
            row["attribution_removed"] = true;
            row["notes"] = "-quoted";
            filled = row.dump() + "\n\n";
        }
        sheet = read_sheet(filled, format, "f", known);
        ASSERT_EQ(sheet.annotations.size(), 1U) << filled;
        const Annotation& annotation = sheet.annotations[0];
        EXPECT_EQ(annotation.stance, Stance::comply);
        EXPECT_EQ(annotation.role_upgrade, Promotion::procedure);
        EXPECT_TRUE(annotation.attribution_removed);
        EXPECT_EQ(annotation.notes, "-quoted");
        EXPECT_EQ(annotation.framework, "hermes");
        EXPECT_EQ(annotation.record_sha256, "sha");
    }
}

TEST(AnnotationSheet, BlankRowsAreCountedAndLeftOut) {
    const FilledSheet sheet = read_csv(head + "r1,t1,,,,later\nr2,t2,agree,none,no,\n,,,,,\n");
    EXPECT_EQ(sheet.blank, 1U);
    ASSERT_EQ(sheet.annotations.size(), 1U);
    EXPECT_EQ(sheet.annotations[0].run_id, "r2");
}

TEST(AnnotationSheet, MistakesAreNamedByLine) {
    for (const auto& [row, line, word] : std::vector<std::tuple<std::string, int, std::string>>{
             {"r9,t1,agree,none,no,\n", 2, "no valid run 'r9'"},
             {"r1,t2,agree,none,no,\n", 2, "task_id 't2' is not that of run r1, which is 't1'"},
             {"r1,,agree,none,no,\n", 2, "task_id ''"},
             {"r1,t1,agree,none,no,\nr1,t1,agree,none,no,\n", 3, "r1 stands twice, first in f.csv:2"},
             {"r1,t1,agrees,none,no,\n", 2, "'agrees'"},
             {"r1,t1,agree,nothing,no,\n", 2, "'nothing'"},
             {"r1,t1,agree,none,maybe,\n", 2, "'maybe'"},
             {"r1,t1,agree,,no,\n", 2, "in part"},
             {"r1,t1,agree,none,no,a,b\n", 2, "more cells"},
             {"r1,t1,agree,none,no,\"x\ny\"\nr2,t1,agree,none,no,\n", 4, "task_id"}}) {
        const std::string said = complaint([&, text = head + row] { read_csv(text); });
        EXPECT_EQ(said.find("f.csv:" + std::to_string(line) + ": "), 0U) << said;
        EXPECT_NE(said.find(word), std::string::npos) << said;
    }
    EXPECT_NE(complaint([] { read_csv("run_id,task_id,stance\n"); }).find("f.csv:1: column 'role_upgrade'"),
              std::string::npos);
    EXPECT_NE(complaint([] { read_csv("run_id,run_id\n"); }).find("stands twice"), std::string::npos);
    EXPECT_NE(complaint([] {
                  read_csv("run_id,task_id,framework,stance,role_upgrade,attribution_removed\nr1,t1,openclaw,,,\n");
              }).find("framework 'openclaw'"),
              std::string::npos);
    const auto read_json = [](const std::string& text) {
        return complaint([&text] { read_sheet(text, SheetFormat::jsonl, "f.jsonl", runs); });
    };
    EXPECT_NE(read_json("\n[1]\n").find("f.jsonl:2: not a JSON object"), std::string::npos);
    EXPECT_NE(read_json(R"({"run_id":1})").find("'run_id' is number"), std::string::npos);
    EXPECT_NE(read_json(R"({"run_id":"r1","task_id":"t1"})").find("column 'stance'"), std::string::npos);
    EXPECT_NE(complaint([] { sheet_format_of("x.xlsx"); }).find(".csv"), std::string::npos);
}

}  // namespace
}  // namespace pasb
