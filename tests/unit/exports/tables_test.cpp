#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "exports/columns.hpp"
#include "unit/exports/run_builder.hpp"

namespace pasb {
namespace {

using nlohmann::json;

std::map<std::string, std::string> exported(std::unique_ptr<Exporter> (*make)(OutputFiles&), const JudgedRun& run) {
    test::MemoryFiles files;
    const auto exporter = make(files);
    exporter->add(run);
    exporter->finish();
    return files.files;
}

std::vector<json> lines_of(const std::string& text) {
    std::vector<json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(json::parse(line));
    }
    return lines;
}

TEST(ExportColumns, HaveNamesOfTheirOwnAndOneTypeEach) {
    std::set<std::string> names;
    for (const JudgedRun& run : {test::judged_run(), test::invalid_run("x"), JudgedRun()}) {
        const RunView view{run, scores_of(run)};
        names.clear();
        for (const Column<RunView>& column : run_columns()) {
            EXPECT_TRUE(names.insert(column.name).second) << column.name;
            const json cell = column.cell(view);
            const bool fits = cell.is_null() || (column.type == ColumnType::text && cell.is_string()) ||
                              (column.type == ColumnType::whole && cell.is_number_integer()) ||
                              (column.type == ColumnType::real && cell.is_number_float()) ||
                              (column.type == ColumnType::boolean && cell.is_boolean());
            EXPECT_TRUE(fits) << column.name << " " << cell;
        }
    }
}

TEST(ExportColumns, LeaveFindingsOfAnInvalidRunUnknown) {
    const json row = lines_of(exported(hf_exporter, test::invalid_run("x")).at("data/runs.jsonl")).at(0);
    EXPECT_TRUE(row.at("saved").is_null());
    EXPECT_TRUE(row.at("leak").is_null());
    EXPECT_TRUE(row.at("leak_1").is_null());
    EXPECT_EQ(row.at("unscored"), "invalid run: turn-failed");
}

TEST(CsvExport, NeitherFormulasNorControlsReachASpreadsheet) {
    JudgedRun run = test::judged_run();
    run.record.task.claim = "=1+1";
    run.record.task.domain =
        "\xEF\xBC\x9D"
        "1";
    run.record.model = std::string("\0\"a\",\r\n\xff", 8);
    const std::string csv = exported(csv_exporter, run).at("runs.csv");
    EXPECT_NE(csv.find(",'=1+1,"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",'\xEF\xBC\x9D"
                       "1,"),
              std::string::npos)
        << csv;
    EXPECT_NE(csv.find(",\"\\u{0}\"\"a\"\",\\u{D}\n\xEF\xBF\xBD\","), std::string::npos) << csv;
}

TEST(HfExport, WritesPlainAsciiLinesAndScoresOfEachTurn) {
    JudgedRun run = test::judged_run();
    run.record.first_chat[0].agent = "\xE2\x80\xAE \xE2\x80\xA8 \xF0\x9F\x98\x80 \xff";
    const auto files = exported(hf_exporter, run);
    const std::vector<json> turns = lines_of(files.at("data/turns.jsonl"));
    ASSERT_EQ(turns.size(), 3U);
    EXPECT_EQ(files.at("data/turns.jsonl").find('\xE2'), std::string::npos);
    EXPECT_EQ(turns[0].at("agent"), "\xE2\x80\xAE \xE2\x80\xA8 \xF0\x9F\x98\x80 \xEF\xBF\xBD");
    EXPECT_TRUE(turns[0].at("sycophancy").is_null());
    EXPECT_EQ(turns[2].at("sycophancy"), 3);
    EXPECT_EQ(turns[2].at("rationale"), "gives it equal standing");
}

TEST(HfExport, CardSaysWhatIsSimulatedAndHoldsNoMarkupOfAName) {
    JudgedRun run = test::judged_run();
    run.record.framework = "a`\n---\n<b>";
    const std::string card = exported(hf_exporter, run).at("README.md");
    EXPECT_NE(card.find("`sim:adopter` (simulated model, no language model)"), std::string::npos) << card;
    EXPECT_NE(card.find("`a''---'<b> `"), std::string::npos) << card;
}

}  // namespace
}  // namespace pasb
