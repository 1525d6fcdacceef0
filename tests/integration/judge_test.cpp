// Judging and annotating real records by scripted HTTP peers: retries by reason, what goes over the wire, and an output
// folder that loses nothing.
#include "judge/judge.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <thread>

#include "gateway/http_upstream.hpp"
#include "integration/scripted_peer.hpp"
#include "integration/temporary_folder.hpp"
#include "judge/annotation_exchange.hpp"
#include "judge/assess.hpp"
#include "judge/sealed_file.hpp"
#include "model/errors.hpp"
#include "net/file.hpp"
#include "wire/digest.hpp"
#include "wire/seal.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::answers;
using testing::Peer;
using testing::TemporaryFolder;

constexpr const char* key = "sk-very-secret-judge-9876543210";
const std::string scores =
    R"({"sycophancy_likert":3,"carryover_likert":2,"epistemic_promotion_likert":2,"amplification_likert":1,"rationale":"r"})";
const std::string cross_scores = R"({"persistence_likert":4,"escalation_likert":2,"rationale":"c"})";
const std::string labels = R"({"stance":"agree","role_upgrade":"fact","attribution_removed":true,"notes":"n"})";

json reply(const std::string& text, const std::string& finish = "stop") {
    json body = testing::completion(text);
    body["choices"][0]["finish_reason"] = finish;
    body["usage"] = {{"prompt_tokens", 100}, {"completion_tokens", 10}};
    return body;
}

bool is_cross_turn(const json& request) {
    return request.dump().find("persistence_likert") != std::string::npos;
}

std::string good_text(const json& request) {
    return is_cross_turn(request)                                            ? cross_scores
           : request.dump().find("attribution_removed") != std::string::npos ? labels
                                                                             : scores;
}

// Answers every kind of call as it asks for.
void good(const HttpRequest& request, ResponseWriter& writer) {
    writer.send({200, testing::json_type, reply(good_text(json::parse(request.body))).dump()});
}

ResolvedModel model_at(const Peer& peer, bool json_schema = true, bool send_temperature = true) {
    HttpUpstream::Settings settings;
    settings.base_url = peer.base_url();
    settings.model = "real-judge";
    settings.key = key;
    settings.send_temperature = send_temperature;
    settings.max_concurrent = 16;
    settings.timeout = 30s;
    settings.retry = {1, 1ms, 2ms, 1'000ms};
    return {"the-judge", false, "real-judge", std::nullopt, std::make_shared<HttpUpstream>(settings), json_schema};
}

std::unique_ptr<Judge> judge_at(const Peer& peer, std::int64_t max_requests = 0) {
    return make_llm_judge(model_at(peer), PASB_SOURCE_DIR, std::make_shared<Allowance>(max_requests));
}

std::string fixture_line(const std::string& framework) {
    std::string line = read_file(PASB_SOURCE_DIR "/tests/fixtures/records/" + framework + ".jsonl");
    return line.substr(0, line.find('\n'));
}

Record fixture(const std::string& framework) {
    return record_from_json(json::parse(fixture_line(framework)));
}

Judgement judged_by(const Peer& peer) {
    return judge_at(peer)->judge(fixture("hermes"), "ab", 1, Deadline::after(60s));
}

// `count` runs of both frameworks in turn, and one that never became valid.
void write_records(const TemporaryFolder& folder, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        json record = json::parse(fixture_line(i % 2 == 0 ? "hermes" : "openclaw"));
        record["run_id"] = "run-" + std::to_string(i);
        json failed = record;
        failed["valid"] = false;
        record["attempt"] = 2;
        text += failed.dump() + "\n" + record.dump() + "\n";
    }
    json invalid = json::parse(fixture_line("hermes"));
    invalid["run_id"] = "run-invalid";
    invalid["valid"] = false;
    invalid["follow_up"] = json::array();
    folder.write("records.jsonl", text + invalid.dump() + "\n");
}

std::vector<json> lines_of(const TemporaryFolder& folder, const std::string& name = "judgements.jsonl") {
    std::vector<json> lines;
    read_sealed(folder.path() / name, [&lines](const json& line) { lines.push_back(line); });
    return lines;
}

AssessResult judge_folder(Judge& judge, const TemporaryFolder& folder, AssessOptions options = {}) {
    options.out = folder.path();
    return judge_runs(judge, "the-judge", options, {}, {});
}

TEST(LlmJudge, AsksThreeAnswersAndTheThreeTogether) {
    const Peer peer({good});
    const Judgement judgement = judged_by(peer);
    EXPECT_TRUE(is_scored(judgement));
    EXPECT_EQ(*judgement.answers[2].scores, (std::array<int, 4>{3, 2, 2, 1}));
    EXPECT_EQ(*judgement.cross_turn.scores, (std::array<int, 2>{4, 2}));
    EXPECT_EQ(judgement.judge, "the-judge");
    EXPECT_FALSE(judgement.simulated);
    EXPECT_EQ(judgement.usage.at("requests"), 4);
    EXPECT_EQ(judgement.usage.at("prompt_tokens"), 400);
    EXPECT_GT(judgement.redactions, 0U);
    EXPECT_EQ(judgement.prompts.at("answer").at("sha256"),
              sha256_hex(read_file(PASB_SOURCE_DIR "/configs/prompts/judge-answer.md")));
    const auto requests = peer.requests();
    ASSERT_EQ(requests.size(), 4U);
    for (const HttpRequest& request : requests) {
        const json body = json::parse(request.body);
        EXPECT_EQ(body.at("temperature"), 0);
        EXPECT_EQ(body.at("model"), "real-judge");
        EXPECT_EQ(body.at("response_format").at("type"), "json_schema");
        EXPECT_EQ(body.at("messages").size(), 2U);
        EXPECT_EQ(body.at("messages")[0].at("role"), "system");
        EXPECT_GT(body.at("max_tokens"), 1'000);
        EXPECT_EQ(request.headers.at("authorization"), std::string("Bearer ") + key);
    }
    EXPECT_TRUE(is_cross_turn(json::parse(requests[3].body)));
}

// The bytes that leave for the endpoint, not what the program meant to send.
TEST(LlmJudge, TheWireIsBlind) {
    for (const char* framework : {"hermes", "openclaw"}) {
        const Peer peer({good});
        const Record record = fixture(framework);
        judge_at(peer)->judge(record, "ab", 1, Deadline::after(60s));
        make_llm_annotator(model_at(peer), PASB_SOURCE_DIR, std::make_shared<Allowance>(0))
            ->annotate(record, "ab", 1, Deadline::after(60s));
        ASSERT_EQ(peer.requests().size(), 5U);
        for (const HttpRequest& request : peer.requests()) {
            std::string body = request.body;
            std::transform(body.begin(), body.end(), body.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
            for (const std::string& word :
                 {std::string("hermes"), std::string("openclaw"), std::string("sim:"), std::string("adopter"),
                  std::string("/home/"), std::string("skill.md"), std::string("holds_claim"), record.run_id,
                  record.task.task_id, std::string("destination")}) {
                EXPECT_EQ(body.find(word), std::string::npos) << framework << ": " << word << "\n" << body;
            }
            EXPECT_NE(body.find("typing"), std::string::npos) << "the claim's own words are there";
        }
    }
}

json asked(const json& temperature, bool json_schema) {
    return {{"model", "real-judge"}, {"temperature", temperature}, {"json_schema", json_schema}};
}

// What stands in the line is what went over the wire.
TEST(LlmJudge, TheLineSaysHowTheModelWasAsked) {
    for (const bool schema : {true, false}) {
        for (const bool temperature : {true, false}) {
            const Peer peer({good});
            const auto allowance = std::make_shared<Allowance>(0);
            const Judgement judgement = make_llm_judge(model_at(peer, schema, temperature), PASB_SOURCE_DIR, allowance)
                                            ->judge(fixture("hermes"), "ab", 1, Deadline::after(60s));
            const Annotation annotation =
                make_llm_annotator(model_at(peer, schema, temperature), PASB_SOURCE_DIR, allowance)
                    ->annotate(fixture("hermes"), "ab", 1, Deadline::after(60s));
            EXPECT_EQ(judgement.asked, asked(temperature ? json(0) : json(), schema));
            EXPECT_EQ(annotation.asked, judgement.asked);
            ASSERT_EQ(peer.requests().size(), 5U);
            for (const HttpRequest& request : peer.requests()) {
                const json body = json::parse(request.body);
                EXPECT_EQ(body.value("temperature", json()), judgement.asked.at("temperature"));
                EXPECT_EQ(body.contains("response_format"), schema);
                EXPECT_EQ(body.at("model"), judgement.asked.at("model"));
            }
        }
    }
    // Taken for the answers, refused for the three together.
    const Peer fickle({[](const HttpRequest& request, ResponseWriter& writer) {
        const json body = json::parse(request.body);
        if (is_cross_turn(body) && body.contains("response_format")) {
            answers({{"error", {{"message", "no response_format here"}}}}, 400)(request, writer);
        } else {
            good(request, writer);
        }
    }});
    EXPECT_EQ(judged_by(fickle).asked, asked(0, false));
    EXPECT_EQ(make_judge("sim:lexical", PASB_SOURCE_DIR, {}, nullptr)
                  ->judge(fixture("hermes"), "ab", 1, Deadline::after(60s))
                  .asked,
              json::object());
}

struct Retry {
    std::string bad;     // first reply
    std::string finish;  // its finish_reason
    std::string reason;  // when it never gets better
    std::size_t requests;
};

TEST(LlmJudge, RetriesByReason) {
    for (const Retry& item :
         {Retry{"no idea", "stop", "no_json", 3}, Retry{"{\"sycophancy_likert\":", "stop", "bad_json", 3},
          Retry{"", "stop", "empty", 3}, Retry{scores + scores, "stop", "multiple_objects", 3},
          Retry{R"({"carryover_likert":1})", "stop", "missing:sycophancy_likert", 3},
          Retry{"{\"sycophancy_likert\":3", "length", "truncated", 3},
          Retry{"", "content_filter", "content_filter", 2}}) {
        const Peer mending({answers(reply(item.bad, item.finish)), good});
        const Judgement mended = judged_by(mending);
        EXPECT_TRUE(is_scored(mended)) << item.reason;
        EXPECT_EQ(mended.answers[0].requests, 2);
        EXPECT_EQ(mended.answers[1].requests, 1);
        const json first = json::parse(mending.requests()[0].body);
        const json second = json::parse(mending.requests()[1].body);
        EXPECT_NE(first, second) << "at temperature 0 the same request gives the same answer";
        if (item.reason == "truncated") {
            EXPECT_EQ(second.at("max_tokens"), 2 * first.at("max_tokens").get<int>());
            EXPECT_EQ(second.at("messages"), first.at("messages"));
        } else if (item.bad.empty()) {
            EXPECT_EQ(second.at("messages").size(), 2U);
        } else {
            ASSERT_EQ(second.at("messages").size(), 4U);
            EXPECT_EQ(second.at("messages")[2], json({{"role", "assistant"}, {"content", item.bad}}));
            EXPECT_EQ(second.at("messages")[3].at("role"), "user");
        }
        const Peer stubborn({answers(reply(item.bad, item.finish))});
        const Judgement none = judged_by(stubborn);
        EXPECT_FALSE(none.answers[0].scores);
        EXPECT_EQ(none.answers[0].unscored, item.reason);
        EXPECT_EQ(static_cast<std::size_t>(none.answers[0].requests), item.requests);
        EXPECT_EQ(stubborn.requests().size(), item.requests * 4);
    }
}

TEST(LlmJudge, ARefusalIsAskedForOnceMore) {
    json refused = reply("");
    refused["choices"][0]["message"] = {{"role", "assistant"}, {"content", nullptr}, {"refusal", "I will not."}};
    const Peer peer({answers(refused)});
    const Judgement judgement = judged_by(peer);
    EXPECT_EQ(judgement.cross_turn.unscored, "refusal");
    EXPECT_EQ(peer.requests().size(), 8U);
}

TEST(LlmJudge, AnErrorWithStatus200IsNoAnswer) {
    json with_choices = reply(scores);
    with_choices["error"] = {{"message", "rate limited"}, {"code", 429}};
    for (const json& body : {json({{"error", {{"message", "rate limited"}, {"code", 429}}}}), with_choices}) {
        const Peer peer({answers(body)});
        const Judgement judgement = judged_by(peer);
        EXPECT_TRUE(judgement.answers[0].unscored.starts_with("upstream-failed: ")) << judgement.answers[0].unscored;
        EXPECT_EQ(judgement.answers[0].requests, 1) << "the upstream's retries are its own";
        EXPECT_EQ(peer.requests().size(), 8U);
    }
    const Peer late({answers({{"error", {{"message", "slow down"}}}}, 429, {{"retry-after", "0"}}), good});
    EXPECT_TRUE(is_scored(judged_by(late)));
}

TEST(LlmJudge, WhatTheEndpointDoesNotTakeIsNotSentAgain) {
    const HttpHandler picky = [](const HttpRequest& request, ResponseWriter& writer) {
        const json body = json::parse(request.body);
        const auto refuse = [&writer](const char* message) {
            writer.send({400, testing::json_type, json({{"error", {{"message", message}}}}).dump()});
        };
        if (body.contains("response_format")) {
            refuse("'response_format' of type json_schema is not supported with this model");
        } else if (body.contains("max_tokens")) {
            refuse("Unsupported parameter: use 'max_completion_tokens' instead.");
        } else {
            good(request, writer);
        }
    };
    const Peer peer({picky});
    const auto judge = judge_at(peer);
    for (int repeat = 1; repeat <= 2; ++repeat) {
        const Judgement judgement = judge->judge(fixture("hermes"), "ab", repeat, Deadline::after(60s));
        EXPECT_TRUE(is_scored(judgement));
        EXPECT_EQ(judgement.asked, asked(0, false));
        EXPECT_EQ(judgement.usage.at("requests"), repeat == 1 ? 6 : 4);
    }
    const Peer plain({good});
    make_llm_judge(model_at(plain, false), PASB_SOURCE_DIR, std::make_shared<Allowance>(0))
        ->judge(fixture("hermes"), "ab", 1, Deadline::after(60s));
    EXPECT_EQ(plain.requests()[0].body.find("response_format"), std::string::npos);
    const Peer other({answers({{"error", {{"message", "the context is too long"}}}}, 400)});
    EXPECT_EQ(judged_by(other).answers[0].unscored,
              "upstream-failed: the upstream answered with an error (400): the context is too long");
}

TEST(MakeJudge, SimulatedAgentsCannotJudge) {
    for (const char* name : {"sim:adopter", "sim:clerk", "sim:nobody"}) {
        try {
            make_judge(
                name, PASB_SOURCE_DIR, [](const std::string&) { return std::nullopt; }, std::make_shared<Allowance>(0));
            ADD_FAILURE() << name;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("sim:lexical"), std::string::npos);
        }
    }
    EXPECT_TRUE(make_judge("sim:lexical", PASB_SOURCE_DIR, {}, nullptr)->simulated());
    EXPECT_TRUE(make_annotator("sim:lexical", PASB_SOURCE_DIR, {}, nullptr)->simulated());
}

TEST(JudgeRuns, EveryValidRunOnceAndOnlyItsValidAttempt) {
    const TemporaryFolder folder;
    write_records(folder, 6);
    const Peer peer({good});
    const auto judge = judge_at(peer);
    AssessOptions options;
    options.repeats = 2;
    options.jobs = 3;
    AssessResult result = judge_folder(*judge, folder, options);
    EXPECT_EQ(result.wanted, 12U);
    EXPECT_EQ(result.made, 12U);
    EXPECT_EQ(result.usable, 12U);
    EXPECT_EQ(result.runs_without_valid_attempt, 1U);
    EXPECT_EQ(result.usage.requests, 48);
    std::set<std::string> seen;
    for (const json& line : lines_of(folder)) {
        const Judgement judgement = judgement_from_json(line);
        EXPECT_EQ(judgement.attempt, 2);
        EXPECT_TRUE(is_scored(judgement));
        EXPECT_TRUE(seen.insert(judgement.run_id + "/" + std::to_string(judgement.repeat)).second);
    }
    EXPECT_EQ(seen.size(), 12U);
    result = judge_folder(*judge, folder, options);
    EXPECT_EQ(result.made, 0U);
    EXPECT_EQ(result.before, 12U);
    EXPECT_EQ(peer.requests().size(), 48U) << "a judged run is not asked for again";
    options.out = folder.path();
    EXPECT_EQ(judge_runs(*judge, "another", options, {}, {}).made, 12U) << "judges stand side by side";
}

TEST(JudgeRuns, OfSeveralValidAttemptsTheFirstCountsAsInTheReport) {
    const TemporaryFolder folder;
    json record = json::parse(fixture_line("hermes"));
    record["run_id"] = "run-0";
    std::string text;
    std::string second;
    for (const int attempt : {1, 2, 3}) {
        record["attempt"] = attempt;
        record["valid"] = attempt > 1;
        text += record.dump() + "\n";
        second = attempt == 2 ? record.dump() : second;
    }
    folder.write("records.jsonl", text);
    const Peer peer({good});
    EXPECT_EQ(judge_folder(*judge_at(peer), folder).made, 1U);
    const Judgement judgement = judgement_from_json(lines_of(folder).at(0));
    EXPECT_EQ(judgement.attempt, 2);
    EXPECT_EQ(judgement.record_sha256, sha256_hex(second));
}

// A project's folder with nothing but prompts.
void copy_prompts(const TemporaryFolder& root) {
    std::filesystem::create_directory(root.path() / "configs");
    std::filesystem::copy(PASB_SOURCE_DIR "/configs/prompts", root.path() / "configs/prompts");
}

TEST(JudgeRuns, AnotherPromptJudgesAgain) {
    const TemporaryFolder root;
    copy_prompts(root);
    const TemporaryFolder folder;
    write_records(folder, 3);
    const Peer peer({good});
    const auto judge_now = [&] {
        return judge_folder(*make_llm_judge(model_at(peer), root.path().string(), std::make_shared<Allowance>(0)),
                            folder);
    };
    EXPECT_EQ(judge_now().made, 3U);
    const std::string name = "configs/prompts/judge-cross-turn.md";
    const std::string before = root.read(name);
    root.write(name, before + "\nBe strict.\n");
    AssessResult result = judge_now();
    EXPECT_EQ(result.made, 3U) << "lines by the old prompt are not those of the new one";
    EXPECT_EQ(result.usable, 3U);
    result = judge_now();
    EXPECT_EQ(result.made, 0U);
    EXPECT_EQ(result.before, 3U);
    const auto lines = lines_of(folder);
    ASSERT_EQ(lines.size(), 6U) << "they stand side by side";
    EXPECT_NE(lines[0].at("prompts").at("cross_turn"), lines[5].at("prompts").at("cross_turn"));
    root.write(name, before);
    EXPECT_EQ(judge_now().made, 3U) << "the last line counts, and that is the other prompt's";
}

TEST(AnnotateRuns, AnotherPromptAnnotatesAgain) {
    const TemporaryFolder root;
    copy_prompts(root);
    const TemporaryFolder folder;
    write_records(folder, 2);
    const Peer peer({good});
    AssessOptions options;
    options.out = folder.path();
    const auto annotate_now = [&] {
        const auto annotator = make_llm_annotator(model_at(peer), root.path().string(), std::make_shared<Allowance>(0));
        return annotate_runs(*annotator, "the-judge", options, {}, {}).made;
    };
    EXPECT_EQ(annotate_now(), 2U);
    EXPECT_EQ(annotate_now(), 0U);
    root.write("configs/prompts/annotator.md", root.read("configs/prompts/annotator.md") + "\n");
    EXPECT_EQ(annotate_now(), 2U);
    EXPECT_EQ(annotate_now(), 0U);
}

TEST(JudgeRuns, RunsAreJudgedAtTheSameTime) {
    const TemporaryFolder folder;
    write_records(folder, 4);
    std::atomic<int> now{0};
    std::atomic<int> most{0};
    const Peer peer({[&](const HttpRequest& request, ResponseWriter& writer) {
        most = std::max(most.load(), ++now);
        for (int i = 0; i < 200 && most < 4; ++i) {
            std::this_thread::sleep_for(10ms);
        }
        --now;
        good(request, writer);
    }});
    AssessOptions options;
    options.jobs = 4;
    EXPECT_EQ(judge_folder(*judge_at(peer), folder, options).usable, 4U);
    EXPECT_EQ(most.load(), 4);
}

TEST(JudgeRuns, UnscoredRunsAreMadeAgainOnlyWhenAsked) {
    const TemporaryFolder folder;
    write_records(folder, 2);
    const Peer bad({answers(reply("no"))});
    AssessResult result = judge_folder(*judge_at(bad), folder);
    EXPECT_EQ(result.unusable, 2U);
    EXPECT_EQ(result.reasons.at("no_json"), 8U);
    EXPECT_DOUBLE_EQ(result.unusable_share(), 1.0);
    const Peer peer({good});
    result = judge_folder(*judge_at(peer), folder);
    EXPECT_EQ(result.made, 0U);
    EXPECT_EQ(result.unusable, 2U);
    AssessOptions options;
    options.again_unscored = true;
    result = judge_folder(*judge_at(peer), folder, options);
    EXPECT_EQ(result.made, 2U);
    EXPECT_EQ(result.usable, 2U);
    EXPECT_EQ(result.unusable, 0U);
    EXPECT_EQ(lines_of(folder).size(), 4U) << "nothing is ever taken out of the file";
    EXPECT_EQ(judge_folder(*judge_at(peer), folder, options).made, 0U) << "a scored judgement is never repeated";
}

TEST(JudgeRuns, StopsAtTheLimitOfRequests) {
    const TemporaryFolder folder;
    write_records(folder, 5);
    for (const auto& [limit, made] : {std::pair{9, 2U}, std::pair{3, 0U}, std::pair{100, 3U}}) {
        const Peer peer({good});
        AssessOptions options;
        options.jobs = 1;
        const AssessResult result = judge_folder(*judge_at(peer, limit), folder, options);
        EXPECT_EQ(result.made, made);
        EXPECT_LE(peer.requests().size(), static_cast<std::size_t>(limit));
        EXPECT_EQ(result.open + result.usable, 5U);
        EXPECT_FALSE(result.cancelled);
    }
    EXPECT_EQ(lines_of(folder).size(), 5U);
}

TEST(JudgeRuns, AnEndpointThatHasGoneEndsTheWork) {
    const TemporaryFolder folder;
    write_records(folder, 12);
    const Peer peer({answers({{"error", {{"message", std::string("bad key ") + key}}}}, 401)});
    AssessOptions options;
    options.jobs = 1;
    const AssessResult result = judge_folder(*judge_at(peer), folder, options);
    EXPECT_EQ(result.made, 5U);
    EXPECT_EQ(result.open, 7U);
    EXPECT_NE(result.endpoint_failure, "");
    EXPECT_EQ(folder.read("judgements.jsonl").find(key), std::string::npos);
}

TEST(JudgeRuns, ATornLineIsSetAsideAndMadeAgain) {
    const TemporaryFolder folder;
    write_records(folder, 3);
    const Peer peer({good});
    judge_folder(*judge_at(peer), folder);
    const std::string whole = folder.read("judgements.jsonl");
    folder.write("judgements.jsonl", whole.substr(0, whole.size() - 40));
    const AssessResult result = judge_folder(*judge_at(peer), folder);
    EXPECT_EQ(result.made, 1U);
    EXPECT_EQ(result.torn_file.filename(), "judgements.torn-1.jsonl");
    EXPECT_EQ(lines_of(folder).size(), 3U);
    EXPECT_TRUE(whole.find(folder.read("judgements.torn-1.jsonl")) != std::string::npos);
}

TEST(JudgeRuns, AChangedByteIsNamed) {
    const TemporaryFolder folder;
    write_records(folder, 2);
    const Peer peer({good});
    judge_folder(*judge_at(peer), folder);
    std::string text = folder.read("judgements.jsonl");
    const auto second = text.find('\n') + 1;
    text[text.find("\"leak\":2", second) + 7] = '1';
    folder.write("judgements.jsonl", text);
    try {
        judge_folder(*judge_at(peer), folder);
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("judgements.jsonl:2: its `sha256`"), std::string::npos)
            << error.what();
    }
}

TEST(JudgeRuns, BadFoldersAreNamed) {
    const TemporaryFolder folder;
    const Peer peer({good});
    const auto complaint = [&] {
        try {
            judge_folder(*judge_at(peer), folder);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(complaint().find("records.jsonl: there is none"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "lock"));
    write_records(folder, 1);
    folder.write("records.jsonl", folder.read("records.jsonl") + "{\"schema\":\"pasb.record/1\"}\n");
    EXPECT_NE(complaint().find("records.jsonl:4: "), std::string::npos) << complaint();
    write_records(folder, 1);
    const FolderLock lock(folder.path());
    EXPECT_NE(complaint().find("another pasb"), std::string::npos);
    EXPECT_TRUE(peer.requests().empty());
}

TEST(AnnotateRuns, LabelsEveryValidRun) {
    const TemporaryFolder folder;
    write_records(folder, 2);
    const Peer peer({answers(reply("no")), good});
    const auto annotator = make_llm_annotator(model_at(peer), PASB_SOURCE_DIR, std::make_shared<Allowance>(0));
    AssessOptions options;
    options.out = folder.path();
    options.jobs = 1;
    const AssessResult result = annotate_runs(*annotator, "the-judge", options, {}, {});
    EXPECT_EQ(result.usable, 2U);
    EXPECT_EQ(result.usage.requests, 3);
    const auto lines = lines_of(folder, "annotations.jsonl");
    ASSERT_EQ(lines.size(), 2U);
    const Annotation annotation = annotation_from_json(lines[1]);
    EXPECT_EQ(annotation.stance, Stance::agree);
    EXPECT_EQ(annotation.framework, "openclaw");
    EXPECT_EQ(annotation.task_id, fixture("openclaw").task.task_id);
    EXPECT_EQ(annotation.prompt.at("file"), "configs/prompts/annotator.md");
}

TEST(Sheets, GoOutAndComeBackWholeOrNotAtAll) {
    const TemporaryFolder folder;
    write_records(folder, 6);
    const std::string file = (folder.path() / "sheet.csv").string();
    EXPECT_EQ(export_sheet(folder.path(), file, 3, 7), 3U);
    const std::string drawn = read_file(file);
    EXPECT_THROW(export_sheet(folder.path(), file, 3, 7), InputError) << "it may hold labels";
    EXPECT_EQ(export_sheet(folder.path(), file + "2.csv", 3, 7), 3U);
    EXPECT_EQ(read_file(file + "2.csv"), drawn) << "the same seed draws the same runs";
    EXPECT_EQ(export_sheet(folder.path(), (folder.path() / "all.jsonl").string(), 0, 0), 6U);
    EXPECT_EQ(import_sheet(folder.path(), file, "ann").blank, 3U);

    const auto row = [](int run, const std::string& rest) {
        const std::string task = fixture(run % 2 == 0 ? "hermes" : "openclaw").task.task_id;
        return "run-" + std::to_string(run) + "," + task + "," + rest + "\n";
    };
    const std::string head = "run_id,task_id,stance,role_upgrade,attribution_removed,notes\n";
    folder.write("bad.csv", head + row(0, "agree,none,no,x") + row(1, "agreed,none,no,x"));
    EXPECT_THROW(import_sheet(folder.path(), (folder.path() / "bad.csv").string(), "ann"), InputError);
    EXPECT_TRUE(lines_of(folder, "annotations.jsonl").empty());
    folder.write("good.csv", head + row(0, "agree,none,no,x") + row(1, "comply,fact,yes,") + row(2, ",,,"));
    const std::string good_file = (folder.path() / "good.csv").string();
    ImportResult result = import_sheet(folder.path(), good_file, "ann");
    EXPECT_EQ(result.added, 2U);
    EXPECT_EQ(result.blank, 1U);
    result = import_sheet(folder.path(), good_file, "ann");
    EXPECT_EQ(result.added, 0U);
    EXPECT_EQ(result.before, 2U);
    EXPECT_EQ(import_sheet(folder.path(), good_file, "bob").added, 2U);
    folder.write("good.csv", head + row(3, "agree,none,no,") + row(0, "challenge,none,no,x"));
    EXPECT_THROW(import_sheet(folder.path(), good_file, "ann"), InputError);
    const auto lines = lines_of(folder, "annotations.jsonl");
    ASSERT_EQ(lines.size(), 4U);
    const Annotation annotation = annotation_from_json(lines[1]);
    EXPECT_EQ(annotation.annotator, "ann");
    EXPECT_EQ(annotation.stance, Stance::comply);
    EXPECT_FALSE(annotation.simulated);
    EXPECT_EQ(annotation.record_sha256.size(), 64U);
}

// The program itself, from outside.
class Program {
  public:
    Program(const Peer& peer, const std::filesystem::path& out, const std::vector<std::string>& more) {
        const std::string pasb = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "pasb").string();
        std::vector<std::string> words{pasb, "judge", "--out", out.string(), "--judge", "some-id"};
        words.insert(words.end(), more.begin(), more.end());
        std::vector<std::string> environment{"OPENAI_BASE_URL=" + peer.base_url(), std::string("OPENAI_API_KEY=") + key,
                                             "PASB_ROOT=" PASB_SOURCE_DIR};
        pid_ = ::fork();
        if (pid_ == 0) {
            std::vector<char*> argv;
            std::vector<char*> envp;
            for (std::string& word : words) {
                argv.push_back(word.data());
            }
            for (std::string& entry : environment) {
                envp.push_back(entry.data());
            }
            argv.push_back(nullptr);
            envp.push_back(nullptr);
            const int log = ::open((out / "output.txt").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
            ::dup2(log, STDOUT_FILENO);
            ::dup2(log, STDERR_FILENO);
            ::execve(argv[0], argv.data(), envp.data());
            ::_exit(127);
        }
    }
    void send(int signal) const { ::kill(pid_, signal); }
    // The exit code; minus the signal that ended it.
    [[nodiscard]] int wait() const {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    static bool exists() {
        return std::filesystem::exists(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "pasb");
    }

  private:
    pid_t pid_ = -1;
};

void wait_for_requests(const Peer& peer, std::size_t count) {
    for (int i = 0; i < 6'000 && peer.requests().size() < count; ++i) {
        std::this_thread::sleep_for(5ms);
    }
}

void slowly_good(const HttpRequest& request, ResponseWriter& writer) {
    std::this_thread::sleep_for(20ms);
    good(request, writer);
}

void expect_no_key(const TemporaryFolder& folder) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
        if (entry.is_regular_file()) {
            EXPECT_EQ(read_file(entry.path().string()).find(key), std::string::npos) << entry.path();
        }
    }
}

TEST(JudgeProgram, KilledOrInterruptedItGoesOnWhereItStopped) {
    if (!Program::exists()) {
        GTEST_SKIP() << "needs the program pasb beside the tests";
    }
    const TemporaryFolder folder;
    write_records(folder, 12);
    const Peer peer({slowly_good});
    {
        const Program program(peer, folder.path(), {"--jobs", "2"});
        wait_for_requests(peer, 14);
        program.send(SIGKILL);
        EXPECT_EQ(program.wait(), -SIGKILL);
    }
    const std::size_t after_kill = lines_of(folder).size();
    EXPECT_GT(after_kill, 0U);
    EXPECT_LT(after_kill, 12U);
    {
        const std::size_t asked = peer.requests().size();
        const Program program(peer, folder.path(), {"--jobs", "2"});
        wait_for_requests(peer, asked + 10);
        program.send(SIGINT);
        EXPECT_EQ(program.wait(), 130) << folder.read("output.txt");
    }
    EXPECT_GT(lines_of(folder).size(), after_kill);
    EXPECT_LT(lines_of(folder).size(), 12U);
    EXPECT_EQ(Program(peer, folder.path(), {}).wait(), 0) << folder.read("output.txt");
    std::set<std::string> runs;
    for (const json& line : lines_of(folder)) {
        runs.insert(line.at("run_id").get<std::string>());
    }
    EXPECT_EQ(runs.size(), 12U);
    EXPECT_EQ(lines_of(folder).size(), 12U);
    expect_no_key(folder);
}

TEST(JudgeProgram, ExitCodes) {
    if (!Program::exists()) {
        GTEST_SKIP() << "needs the program pasb beside the tests";
    }
    const TemporaryFolder folder;
    write_records(folder, 2);
    const Peer bad({answers(reply("I cannot say."))});
    EXPECT_EQ(Program(bad, folder.path(), {}).wait(), 3);
    EXPECT_NE(folder.read("output.txt").find("no_json"), std::string::npos);
    EXPECT_EQ(Program(bad, folder.path(), {"--limit-unscored", "1"}).wait(), 0);
    const Peer peer({good});
    EXPECT_EQ(Program(peer, folder.path(), {"--again-unscored", "--max-requests", "5"}).wait(), 3);
    EXPECT_EQ(Program(peer, folder.path(), {"--again-unscored"}).wait(), 0);
    EXPECT_EQ(Program(peer, folder.path(), {"--repeats", "0"}).wait(), 2);
    EXPECT_EQ(Program(peer, folder.path(), {"--judge", "sim:adopter"}).wait(), 2);
    expect_no_key(folder);
}

// Whatever keeps judgements from being there is told by the exit code, even where those that are there have scores.
TEST(JudgeProgram, WorkThatIsNotDoneIsNoSuccess) {
    if (!Program::exists()) {
        GTEST_SKIP() << "needs the program pasb beside the tests";
    }
    const TemporaryFolder folder;
    write_records(folder, 8);
    const Peer peer({good});
    EXPECT_EQ(Program(peer, folder.path(), {"--max-requests", "5"}).wait(), 3);
    EXPECT_NE(folder.read("output.txt").find("not done: stopped at --max-requests: 7 are still to do"),
              std::string::npos)
        << folder.read("output.txt");
    const Peer gone({answers({{"error", {{"message", "no such model"}}}}, 404)});
    EXPECT_EQ(Program(gone, folder.path(), {"--limit-unscored", "1", "--jobs", "1"}).wait(), 3);
    EXPECT_NE(folder.read("output.txt").find("not done: the endpoint fails again and again"), std::string::npos);
    EXPECT_EQ(Program(peer, folder.path(), {"--again-unscored"}).wait(), 0) << folder.read("output.txt");

    const TemporaryFolder without;
    json invalid = json::parse(fixture_line("hermes"));
    invalid["valid"] = false;
    without.write("records.jsonl", invalid.dump() + "\n");
    EXPECT_EQ(Program(peer, without.path(), {}).wait(), 3);
    EXPECT_NE(without.read("output.txt").find("not done: no run is valid"), std::string::npos);
}

}  // namespace
}  // namespace pasb
