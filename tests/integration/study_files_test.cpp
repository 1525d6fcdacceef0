#include "command/study_files.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"
#include "temporary_folder.hpp"
#include "wire/digest.hpp"
#include "wire/seal.hpp"

namespace pasb {
namespace {

using testing::TemporaryFolder;

class StudyFilesTest : public ::testing::Test {
  protected:
    std::string add_record(const std::string& run_id, const std::string& model = "sim:adopter", int attempt = 1,
                           bool valid = true) {
        Record record;
        record.run_id = run_id;
        record.model = model;
        record.framework = "hermes";
        record.attempt = attempt;
        record.valid = valid;
        record.invalid_reason = valid ? "" : "turn-failed";
        record.cut = {{"proven", true}};
        record.task.base_item_id = "base";
        record.task.task_id = "task";
        record.usage = {{"requests", 10}};
        for (int turn = 1; turn <= first_chat_turns; ++turn) {
            record.first_chat.push_back({turn, "", "answer", 1, 1});
        }
        for (int turn = 1; turn <= follow_up_turns; ++turn) {
            record.follow_up.push_back({turn, "", "answer", 1, 1});
        }
        const std::string line = to_line(record);
        records_ += line + "\n";
        return sha256_hex(line);
    }

    void add_judgement(const std::string& run_id, const std::string& record_sha256, int score,
                       const std::string& judge = "sim:lexical", int attempt = 1) {
        Judgement judgement;
        judgement.run_id = run_id;
        judgement.attempt = attempt;
        judgement.record_sha256 = record_sha256;
        judgement.judge = judge;
        for (AnswerVerdict& verdict : judgement.answers) {
            verdict.scores = {score, score, score, score};
        }
        judgement.cross_turn.scores = {score, score};
        judgement.usage = {{"requests", 4}};
        judgements_ += sealed(to_json(judgement)).dump() + "\n";
    }

    [[nodiscard]] StudyFiles read(const std::string& judge = "") const {
        folder_.write("records.jsonl", records_);
        folder_.write("judgements.jsonl", judgements_);
        StudyOptions options;
        options.folders = {folder_.path().string()};
        options.judge = judge;
        options.published_file = PASB_SOURCE_DIR "/configs/published.yaml";
        options.report_folder = (folder_.path() / "report").string();
        return StudyFiles(options);
    }

    std::string complaint(const std::string& judge = "") const {
        try {
            (void)read(judge).study();
        } catch (const InputError& error) {
            return error.what();
        }
        return "none";
    }

    TemporaryFolder folder_;
    std::string records_;
    std::string judgements_;
};

TEST_F(StudyFilesTest, UsesNoStaleJudgementAnywhere) {
    const std::string sha256 = add_record("run");
    add_judgement("run", sha256, 5);
    add_judgement("run", std::string(64, '0'), 1);
    const StudyFiles files = read();
    const RunFacts& run = files.study().runs.at(0);
    EXPECT_EQ(run.scores->worst(Metric::leak), 5);
    EXPECT_EQ(files.texts(run).judgement->answers[0].scores->at(1), 5);
    EXPECT_NE(files.warnings().at(1).find("1 judgements or annotations belong to another state"), std::string::npos);
}

TEST_F(StudyFilesTest, TakesTheFirstValidAttemptAndCountsTheCostOfAll) {
    add_record("run", "m", 1, false);
    const std::string sha256 = add_record("run", "m", 2);
    add_record("run", "m", 3);
    add_judgement("run", sha256, 4, "sim:lexical", 2);
    const StudyFiles files = read();
    const RunFacts& run = files.study().runs.at(0);
    EXPECT_EQ(run.attempt, 2);
    EXPECT_EQ(run.attempts, 3);
    EXPECT_EQ(run.requests, 30);
    EXPECT_TRUE(run.judged());
    EXPECT_EQ(files.texts(run).record.attempt, 2);
}

TEST_F(StudyFilesTest, PrefersTheOnlyRealJudgeAndAsksBetweenSeveral) {
    const std::string sha256 = add_record("run");
    add_judgement("run", sha256, 1);
    add_judgement("run", sha256, 3, "kimi");
    EXPECT_EQ(read().raters().judge, "kimi");
    EXPECT_FALSE(read().raters().judge_simulated);
    EXPECT_EQ(read("sim:lexical").study().runs.at(0).scores->worst(Metric::leak), 1);
    add_judgement("run", sha256, 3, "glm");
    EXPECT_EQ(complaint(), "several judges (glm, kimi, sim:lexical): name one with --judge");
    EXPECT_EQ(complaint("gpt"), "no judge 'gpt' in these folders; there are glm, kimi, sim:lexical");
}

TEST_F(StudyFilesTest, KnowsASimulatedOneByItsName) {
    const std::string sha256 = add_record("run");
    add_judgement("run", sha256, 1);  // its `simulated` says false
    const StudyFiles files = read();
    EXPECT_TRUE(files.raters().judge_simulated);
    EXPECT_TRUE(files.study().runs.at(0).simulated);
}

TEST_F(StudyFilesTest, NamesTheLineThatIsBrokenOrChanged) {
    const std::string sha256 = add_record("run");
    add_judgement("run", sha256, 4);
    judgements_.replace(judgements_.find("\"requests\":4"), 12, "\"requests\":5");
    EXPECT_EQ(complaint(), folder_.path().string() +
                               "/judgements.jsonl:1: its `sha256` does not hold: the line was changed after it was "
                               "written");
    judgements_.clear();
    records_.replace(records_.find("\"requests\":10"), 13, "\"requests\":\"x\"");
    EXPECT_EQ(complaint(),
              folder_.path().string() + "/records.jsonl:1: record with a wrong field: `usage.requests` is no number");
    records_ = "{\n";
    EXPECT_NE(complaint().find("records.jsonl:1: not JSON"), std::string::npos) << complaint();
}

TEST_F(StudyFilesTest, GivesADigestForEveryLine) {
    const std::string sha256 = add_record("run");
    const StudyFiles files = read();
    EXPECT_NE(files.line_digests().find(sha256 + "  ../records.jsonl:1\n"), std::string::npos) << files.line_digests();
}

}  // namespace
}  // namespace pasb
