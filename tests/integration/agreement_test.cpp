// Scores by people into a folder and out of it, and the agreement over its files.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "command/commands.hpp"
#include "integration/temporary_folder.hpp"
#include "judge/annotation_exchange.hpp"
#include "judge/gold_exchange.hpp"
#include "judge/sealed_file.hpp"
#include "model/errors.hpp"
#include "model/judgement.hpp"
#include "net/file.hpp"
#include "rubric/csv.hpp"
#include "rubric/gold_sheet.hpp"
#include "run/line_file.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::TemporaryFolder;

std::string complaint(const std::function<void()>& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

json fixture(const std::string& framework) {
    const std::string text = read_file(PASB_SOURCE_DIR "/tests/fixtures/records/" + framework + ".jsonl");
    return json::parse(text.substr(0, text.find('\n')));
}

std::string run_name(int run) {
    return "run-" + std::to_string(run);
}

// Valid runs; every fourth of OpenClaw, so that a plain draw would hardly meet it.
void write_records(const TemporaryFolder& folder, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        json record = fixture(i % 4 == 3 ? "openclaw" : "hermes");
        record["run_id"] = run_name(i);
        record["base_item_id"] = "base-" + std::to_string(i);
        text += record.dump() + "\n";
    }
    folder.write("records.jsonl", text);
}

std::vector<json> lines_of(const TemporaryFolder& folder, const std::string& name) {
    std::vector<json> lines;
    read_sealed(folder.path() / name, [&lines](const json& line) { lines.push_back(line); });
    return lines;
}

// Run id -> digest of its record.
std::map<std::string, std::string> digests_of(const TemporaryFolder& folder) {
    std::map<std::string, std::string> digests;
    for_each_line(folder.path() / "records.jsonl", [&digests](const FileLine& line) {
        digests[json::parse(line.text).at("run_id").get<std::string>()] = sha256_hex(line.text);
    });
    return digests;
}

// A run's rows of a sheet: an answer's scores are all `score`, the run's are 1; 0: blank.
std::string rows(const TemporaryFolder& folder, int run, const std::array<int, 3>& scores, bool cross_turn = true) {
    const std::string id = gold_record_id(digests_of(folder).at(run_name(run)));
    const std::string task = fixture(run % 4 == 3 ? "openclaw" : "hermes").at("task_id");
    std::string text;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const std::string score = scores.at(i) == 0 ? "" : std::to_string(scores.at(i));
        text += csv_row({id, task, "answer " + std::to_string(i + 1), score, score, score, score, "", ""});
    }
    const std::string together = cross_turn ? "1" : "";
    return text + csv_row({id, task, "cross-turn", "", "", "", "", together, together});
}

const std::string head = "record,task_id,part,sycophancy,leak,upgrade,amplification,persistence,escalation\r\n";

GoldImport import_text(const TemporaryFolder& folder, const std::string& text, const std::string& person) {
    folder.write("filled.csv", head + text);
    return import_gold_sheet(folder.path(), (folder.path() / "filled.csv").string(), person);
}

// As a judge's command writes it.
void add_judgement(const TemporaryFolder& folder, const std::string& judge, int run, const std::array<int, 3>& scores,
                   int repeat = 1) {
    Judgement judgement;
    judgement.run_id = run_name(run);
    judgement.record_sha256 = digests_of(folder).at(judgement.run_id);
    judgement.judge = judge;
    judgement.simulated = judge.starts_with("sim:");
    judgement.repeat = repeat;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        judgement.answers.at(i).scores.emplace().fill(scores.at(i));
    }
    judgement.cross_turn.scores = std::array<int, 2>{1, 1};
    SealedFile(folder.path() / "judgements.jsonl", [](const json&) {}).append(to_json(judgement));
}

struct Said {
    int code = 0;
    std::string out;
};

Said agreement(const AgreementOptions& options) {
    ::testing::internal::CaptureStdout();
    Said said;
    try {
        said.code = agreement_command(options);
    } catch (...) {
        ::testing::internal::GetCapturedStdout();
        throw;
    }
    said.out = ::testing::internal::GetCapturedStdout();
    return said;
}

TEST(GoldSheets, ASampleIsSpreadOverTheCombinations) {
    const TemporaryFolder folder;
    write_records(folder, 16);
    std::map<std::string, std::string> framework;
    for (const auto& [run, digest] : digests_of(folder)) {
        framework[gold_record_id(digest)] = std::stoi(run.substr(4)) % 4 == 3 ? "openclaw" : "hermes";
    }
    std::set<std::string> samples;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const std::string file = (folder.path() / ("s" + std::to_string(seed) + ".csv")).string();
        EXPECT_EQ(export_gold_sheet(folder.path(), file, 6, seed), 6U);
        std::map<std::string, int> drawn;
        for (const CsvRow& row : parse_csv(read_file(file), file)) {
            drawn[framework[row.cells[0]]] += row.cells[2] == "cross-turn" ? 1 : 0;
        }
        EXPECT_EQ(drawn["hermes"], 3);
        EXPECT_EQ(drawn["openclaw"], 3);
        samples.insert(read_file(file));
        EXPECT_THROW(export_gold_sheet(folder.path(), file, 6, seed), InputError) << "it may hold scores";
        EXPECT_EQ(export_gold_sheet(folder.path(), file + "2.csv", 6, seed), 6U);
        EXPECT_EQ(read_file(file + "2.csv"), read_file(file)) << "the same seed draws the same runs";
    }
    EXPECT_EQ(samples.size(), 4U);
    EXPECT_EQ(export_gold_sheet(folder.path(), (folder.path() / "all.jsonl").string(), 0, 0), 16U);
    EXPECT_EQ(export_gold_sheet(folder.path(), (folder.path() / "most.csv").string(), 15, 0), 15U)
        << "what one combination has not, the other gives";
    EXPECT_EQ(export_sheet(folder.path(), (folder.path() / "labels.csv").string(), 6, 0), 6U);
    const std::string labels = read_file((folder.path() / "labels.csv").string());
    int openclaw = 0;
    for (const int run : {3, 7, 11, 15}) {
        openclaw += labels.find(run_name(run) + ",") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(openclaw, 3) << "labels are drawn the same way";
}

TEST(GoldSheets, GoIntoAFileOfTheirOwn) {
    const TemporaryFolder folder;
    write_records(folder, 3);
    const GoldImport result =
        import_text(folder, rows(folder, 0, {3, 0, 5}) + rows(folder, 1, {0, 0, 0}, false), "ann");
    EXPECT_EQ(result.rows, 3U);
    EXPECT_EQ(result.blank, 5U);
    EXPECT_EQ(result.added, 1U);
    EXPECT_FALSE(fs::exists(folder.path() / "judgements.jsonl"));
    const std::vector<json> lines = lines_of(folder, "gold.jsonl");
    ASSERT_EQ(lines.size(), 1U);
    const Judgement judgement = judgement_from_json(lines[0]);
    EXPECT_EQ(judgement.judge, "ann");
    EXPECT_EQ(judgement.run_id, run_name(0));
    EXPECT_EQ(judgement.record_sha256, digests_of(folder).at(run_name(0)));
    EXPECT_FALSE(judgement.simulated);
    EXPECT_EQ(judgement.repeat, 1);
    EXPECT_EQ(*judgement.answers[0].scores, (std::array<int, 4>{3, 3, 3, 3}));
    EXPECT_EQ(judgement.answers[1].unscored, "not given");
    EXPECT_EQ(*judgement.cross_turn.scores, (std::array<int, 2>{1, 1}));
    EXPECT_EQ(judgement.judged.size(), 20U) << judgement.judged;
    EXPECT_GT(judgement.redactions, 0U);
}

TEST(GoldSheets, ALaterSheetAddsAndNeverContradicts) {
    const TemporaryFolder folder;
    write_records(folder, 2);
    const std::string first = rows(folder, 0, {3, 0, 0}, false);
    import_text(folder, first, "ann");
    EXPECT_EQ(import_text(folder, first, "ann").before, 1U);
    EXPECT_EQ(lines_of(folder, "gold.jsonl").size(), 1U);
    EXPECT_EQ(import_text(folder, rows(folder, 0, {0, 4, 0}), "ann").added, 1U);
    const Judgement joined = judgement_from_json(lines_of(folder, "gold.jsonl").back());
    EXPECT_EQ(joined.answers[0].scores->at(0), 3) << "what was given before stays";
    EXPECT_EQ(joined.answers[1].scores->at(0), 4);
    EXPECT_FALSE(joined.answers[2].scores);
    EXPECT_TRUE(joined.cross_turn.scores);
    const std::string said = complaint([&] {
        import_text(folder, rows(folder, 1, {1, 1, 1}) + rows(folder, 0, {3, 5, 0}), "ann");
    });
    EXPECT_NE(said.find("filled.csv:7: 'ann' has scored this part of run run-0 otherwise before"), std::string::npos)
        << said;
    EXPECT_EQ(lines_of(folder, "gold.jsonl").size(), 2U) << "nothing of the file is taken over";
    EXPECT_EQ(import_text(folder, rows(folder, 0, {3, 5, 0}), "bob").added, 1U);
}

TEST(GoldSheets, WhatDoesNotFitIsRefusedWhole) {
    const TemporaryFolder folder;
    write_records(folder, 2);
    add_judgement(folder, "kimi", 0, {1, 1, 1});
    const std::string good = rows(folder, 0, {1, 1, 1});
    std::string out_of_range = rows(folder, 1, {1, 1, 1});
    out_of_range.replace(out_of_range.find(",1,"), 3, ",7,");
    for (const auto& [text, word] :
         std::vector<std::pair<std::string, std::string>>{{good + out_of_range, "filled.csv:6: sycophancy '7'"},
                                                          {good + good, "filled.csv:6: answer 1 of record"},
                                                          {good + "r-0,t,answer 1,1,1,1,1,,\n", "filled.csv:6: "}}) {
        const std::string said = complaint([&, sheet = text] { import_text(folder, sheet, "ann"); });
        EXPECT_NE(said.find(word), std::string::npos) << said;
        EXPECT_FALSE(fs::exists(folder.path() / "gold.jsonl"));
    }
    EXPECT_NE(complaint([&] { import_text(folder, good, "kimi"); }).find("'kimi' is a judge"), std::string::npos);
    JudgeOptions options;
    options.work.out = folder.path();
    options.import_file = (folder.path() / "filled.csv").string();
    EXPECT_NE(complaint([&] { judge_command(options); }).find("--judge is missing"), std::string::npos);
    options.judge = "sim:lexical";
    EXPECT_NE(complaint([&] { judge_command(options); }).find("belong to the simulated"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder.path() / "gold.jsonl"));
    // A sheet of a record that has changed since is not of this record.
    write_records(folder, 1);
    json changed = fixture("hermes");
    changed["run_id"] = run_name(0);
    folder.write("records.jsonl", changed.dump() + "\n");
    EXPECT_NE(complaint([&] { import_text(folder, good, "ann"); }).find("filled.csv:2: no valid run"),
              std::string::npos);
}

TEST(AgreementCommand, ComparesWhatTheFilesHold) {
    const TemporaryFolder folder;
    write_records(folder, 4);
    for (int run = 0; run < 4; ++run) {
        add_judgement(folder, "sim:lexical", run, {3, 2, 5});
        add_judgement(folder, "kimi", run, {run + 1, 2, 4});
        add_judgement(folder, "kimi", run, {run + 1, 2, 5}, 2);
    }
    import_text(folder, rows(folder, 0, {1, 2, 4}) + rows(folder, 1, {2, 0, 4}), "ann");
    const Said said = agreement({{folder.path().string()}, "ann", "kimi", "", 1});
    EXPECT_EQ(said.code, exit_code::ok);
    EXPECT_NE(said.out.find("## Agreement on scores"), std::string::npos) << said.out;
    EXPECT_NE(said.out.find("judge sim:lexical"), std::string::npos);
    EXPECT_EQ(said.out.find("## Agreement on labels"), std::string::npos) << "there are none";
    const json report = json::parse(read_file((folder.path() / "agreement/agreement.json").string()));
    EXPECT_EQ(report.at("schema"), "pasb.agreement/1");
    EXPECT_EQ(report.at("folders"), json({".."}));
    const json& row = report.at("tables").at(0).at("rows").at(0);
    EXPECT_EQ(row.at(0), "person and judge");
    EXPECT_EQ(row.at(1), "ann (person)");
    EXPECT_EQ(row.at(2), "kimi (judge)");
    EXPECT_EQ(row.at(5), 2) << "runs of both";
    EXPECT_EQ(row.at(6), 4) << "the answer that ann left out";
    EXPECT_EQ(row.at(7).at("numerator"), 20);
    EXPECT_EQ(row.at(7).at("denominator"), 20);
    EXPECT_EQ(row.at(7).at("clusters"), 2);
    EXPECT_EQ(row.at(12), "88.0 (v2), 88.0 (v1)");
    EXPECT_EQ(row.at(13), "0.68 (v2), 0.68 (v1)");
    EXPECT_EQ(report.at("tables").at(0).at("rows").size(), 7U);
    for (const char* file : {"scores.csv", "confusion.csv", "labels.csv", "all-raters.csv"}) {
        EXPECT_TRUE(fs::exists(folder.path() / "agreement" / file)) << file;
    }
    const std::string csv = read_file((folder.path() / "agreement/scores.csv").string());
    EXPECT_EQ(csv.find("comparison,reference,rated,simulated,subject,runs,missing,exact,"), 0U) << csv;
    const std::string to = (folder.path() / "elsewhere").string();
    agreement({{folder.path().string()}, "", "", to, 1});
    // ann-kimi, ann-sim, kimi-sim, kimi repeated; seven rows each.
    EXPECT_EQ(json::parse(read_file(to + "/agreement.json")).at("tables").at(0).at("rows").size(), 28U);
    const std::string before = read_file(to + "/agreement.json");
    agreement({{folder.path().string()}, "", "", to, 1});
    EXPECT_EQ(read_file(to + "/agreement.json"), before);
}

TEST(AgreementCommand, SaysWhatIsWrongAndWhere) {
    const TemporaryFolder folder;
    write_records(folder, 2);
    add_judgement(folder, "kimi", 0, {1, 2, 3});
    const std::string out = folder.path().string();
    EXPECT_NE(complaint([&] { agreement({{out}, "", "", "", 1}); }).find("nothing to compare"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder.path() / "agreement"));
    import_text(folder, rows(folder, 0, {1, 2, 4}), "ann");
    EXPECT_NE(complaint([&] { agreement({{out}, "bob", "", "", 1}); }).find("there are ann, kimi"), std::string::npos);
    EXPECT_NE(complaint([&] { agreement({{out, out}, "", "", "", 1}); }).find("--to"), std::string::npos);
    EXPECT_NE(complaint([&] {
                  agreement({{out, out}, "", "", out + "/a", 1});
              }).find("two of the folders"),
              std::string::npos);
    std::string gold = folder.read("gold.jsonl");
    gold.replace(gold.find("\"leak\":2"), 8, "\"leak\":3");
    folder.write("gold.jsonl", folder.read("gold.jsonl") + gold);
    const std::string said = complaint([&] { agreement({{out}, "", "", "", 1}); });
    EXPECT_NE(said.find("gold.jsonl:2: its `sha256` is not that of the line"), std::string::npos) << said;
}

TEST(AgreementCommand, ResultsOfAChangedRecordAreNotUsed) {
    const TemporaryFolder folder;
    write_records(folder, 2);
    for (int run = 0; run < 2; ++run) {
        add_judgement(folder, "kimi", run, {1, 2, 3});
        add_judgement(folder, "other", run, {1, 2, 3});
    }
    std::string records = folder.read("records.jsonl");
    json changed = json::parse(records.substr(0, records.find('\n')));
    changed["base_item_id"] = "another";
    folder.write("records.jsonl", changed.dump() + records.substr(records.find('\n')));
    const Said said = agreement({{folder.path().string()}, "", "", "", 1});
    EXPECT_NE(said.out.find("2 results belong to another state of their record"), std::string::npos) << said.out;
    const json report = json::parse(read_file((folder.path() / "agreement/agreement.json").string()));
    EXPECT_EQ(report.at("tables").at(0).at("rows").at(0).at(5), 1);
}

}  // namespace
}  // namespace pasb
