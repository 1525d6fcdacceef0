// What a judge is shown: everything of the task, nothing that names who answered.
#include "rubric/blind_evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "model/utf8.hpp"
#include "rubric/redactor.hpp"

namespace pasb {
namespace {

using nlohmann::json;

Record fixture(const std::string& framework) {
    std::ifstream file(PASB_SOURCE_DIR "/tests/fixtures/records/" + framework + ".jsonl");
    return record_from_json(json::parse(file));
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

std::string hide(const std::string& text, const std::string& model = "sim:adopter",
                 const std::string& framework = "hermes") {
    Record record;
    record.model = model;
    record.framework = framework;
    record.notes = {{".hermes/memories/MEMORY.md", PathKind::memory, ChangeType::added, "", "", false, 0, 0, 0}};
    return Redactor(record).hide(text);
}

TEST(Redactor, FrameworksInAnySpelling) {
    for (const char* name : {"Hermes", "hermes-agent", "Hermes Agent", "HERMES_AGENT", "HermesAgent", "OpenClaw",
                             "openclaw", "open claw", "Open-Claw", "open_claw", ".openclaw", ".hermes", "Hermes's",
                             "\xEF\xBC\xA8\xEF\xBD\x85rmes", "Clawdbot", "Nous Research"}) {
        const std::string got = hide(std::string("I am ") + name + ", at work.");
        EXPECT_EQ(got, "I am [agent], at work.") << name;
    }
    EXPECT_EQ(hide("The Acme-Agent says", "m", "acme"), "The [agent] says");
    EXPECT_EQ(hide("Open the jar, claw hammer in hand."), "Open the jar, claw hammer in hand.");
}

TEST(Redactor, PathsOfTheFrameworksFiles) {
    for (const char* path :
         {"/home/agent/.hermes/memories/USER.md", "~/.openclaw/workspace/MEMORY.md", "$HOME/notes.md",
          ".openclaw/agents/main/x", "memories/MEMORY.md", "~/x", "/opt/hermes/driver.py", "C:\\\\hermes\\\\x"}) {
        EXPECT_EQ(hide(std::string("Saved to `") + path + "`."), "Saved to `[agent]`.") << path;
    }
    EXPECT_EQ(hide("and/or 1/2, https://example.org/a"), "and/or 1/2, https://example.org/a");
}

TEST(Redactor, ModelsByNamePartAndStem) {
    EXPECT_EQ(hide("x (simulated model sim:adopter)"), "x ([model])");
    EXPECT_EQ(hide("sim:adopter here"), "[model] here");
    for (const char* name : {"Qwen/Qwen3-32B", "Qwen3-32B", "qwen", "Qwen 3", "qwen2.5-72b-instruct", "QWEN3"}) {
        EXPECT_EQ(hide(std::string("I am ") + name + ".", "Qwen/Qwen3-32B").substr(0, 12), "I am [model]") << name;
    }
    EXPECT_EQ(hide("I, Zorblax-9, and zorblax.", "acme/Zorblax-9b"), "I, [model], and [model].");
    for (const char* name : {"GPT-4.1", "ChatGPT", "GPT4o", "gpt-4o-mini", "Claude 3.5 Sonnet", "Claude Opus",
                             "Gemini 2.5 Pro", "Llama-3.1-70B-Instruct", "Kimi-K2.6", "DeepSeek-V3", "Moonshot AI",
                             "OpenAI/gpt-oss-120b", "GLM-4.5", "\xE9\x80\x9A\xE4\xB9\x89\xE5\x8D\x83\xE9\x97\xAE"}) {
        EXPECT_EQ(hide(std::string("As ") + name + ", I"), "As [model], I") << name;
    }
    EXPECT_EQ(hide("a local shop and 3 egg pts", "local-vllm"), "a local shop and 3 egg pts");
    for (const char* plain : {"The moonshot, phi and a test.", "A coherent whole.", "Claudette, a minimax rule."}) {
        EXPECT_EQ(hide(plain), plain);
    }
    EXPECT_EQ(hide("DeepSeekCoder, ChatGPTs"), "[model], [model]");
}

TEST(Redactor, CountsAndLeavesTheRestByteForByte) {
    Record record;
    record.framework = "hermes";
    record.model = "m";
    Redactor redactor(record);
    const std::string text = "Caf\xC3\xA9 \xE2\x80\x94 Hermes and GPT-4.\n\tHermes!";
    EXPECT_EQ(redactor.hide(text), "Caf\xC3\xA9 \xE2\x80\x94 [agent] and [model].\n\t[agent]!");
    EXPECT_EQ(redactor.count(), 3U);
    EXPECT_EQ(redactor.hide(""), "");
    EXPECT_EQ(redactor.count(), 3U);
}

TEST(Redactor, AHostileNoteCostsNoMoreThanItsLength) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        text += "hermes.";
    }
    EXPECT_EQ(hide(text).find("hermes"), std::string::npos);
    EXPECT_EQ(hide("/" + text), "[agent].");
}

// On real records: no name, no path, no other score, and what has to be there is there.
TEST(BlindEvidence, RealRecordsOfBothFrameworksAreBlind) {
    for (const char* framework : {"hermes", "openclaw"}) {
        const Record record = fixture(framework);
        const BlindEvidence evidence = follow_up_evidence(record);
        ASSERT_EQ(evidence.turns.size(), 3U);
        EXPECT_FALSE(evidence.notes.empty());
        EXPECT_GT(evidence.redactions, 0U);
        EXPECT_EQ(evidence.cut_bytes, 0U);
        std::vector<std::string> documents{cross_turn_document(record, evidence),
                                           annotation_document(record, first_chat_evidence(record))};
        for (std::size_t i = 0; i < 3; ++i) {
            documents.push_back(answer_document(record, evidence, i));
        }
        for (const std::string& document : documents) {
            const json value = json::parse(document);
            EXPECT_EQ(value.at("claim"), record.task.claim);
            EXPECT_EQ(value.at("ground_truth_stance"), record.task.ground_truth_stance);
            for (const char* word : {"hermes", "openclaw", "open claw", "sim:", "adopter", "simulated", ".hermes",
                                     "/home/", "memories/", "workspace/", "skill.md", "workshop", "holds_claim",
                                     "score", "sha256", "destination", "model_calls"}) {
                EXPECT_EQ(lower(document).find(word), std::string::npos) << framework << " " << word << document;
            }
            EXPECT_EQ(document.find(record.run_id), std::string::npos);
            EXPECT_EQ(document.find(record.framework_version), std::string::npos);
            EXPECT_EQ(document.find(record.image_id), std::string::npos);
        }
        const json answer = json::parse(documents.back());
        EXPECT_EQ(answer.at("question"), record.task.questions[2]);
        EXPECT_EQ(answer.at("family"), "SOC");
        EXPECT_EQ(answer.at("delivery"), "late-shock");
        EXPECT_EQ(json::parse(documents.front()).at("follow_up").size(), 3U);
        EXPECT_EQ(json::parse(documents.at(1)).at("first_chat").size(), 5U);
        EXPECT_FALSE(answer.contains("follow_up")) << "an answer is judged alone";
    }
}

// The same run on two frameworks gives documents of one shape.
TEST(BlindEvidence, NotesAreNamedByKindAndOrder) {
    Record record = fixture("openclaw");
    record.notes.clear();
    const auto add = [&record](PathKind kind, ChangeType change, const std::string& text) {
        record.notes.push_back({"p" + std::to_string(record.notes.size()), kind, change, "", text, false, 0, 0, 0});
    };
    add(PathKind::skill, ChangeType::added, "s1");
    add(PathKind::user, ChangeType::modified, "u");
    add(PathKind::memory, ChangeType::added, "m1");
    add(PathKind::memory, ChangeType::deleted, "");
    add(PathKind::persona, ChangeType::modified, "m2");
    add(PathKind::skill, ChangeType::renamed, "s2 \xFF");
    std::string names;
    const BlindEvidence evidence = follow_up_evidence(record);
    for (const BlindNote& note : evidence.notes) {
        names += note.name + "=" + note.text + ";";
    }
    EXPECT_EQ(names, "skill 1=s1;user profile=u;memory 1=m1;memory 2=m2;skill 2=s2 \xEF\xBF\xBD;");
}

TEST(BlindEvidence, TextsOverTheBudgetSaySoAndEndAtACharacter) {
    Record record = fixture("hermes");
    record.notes.clear();
    for (const std::size_t size : {10U, 400U, 4'000U}) {
        std::string text;
        while (text.size() < size) {
            text += "\xC3\xA9";
        }
        record.notes.push_back({"p", PathKind::memory, ChangeType::added, "", text, false, 0, 0, 0});
    }
    record.follow_up[1].agent = std::string(99, 'x') + "\xE2\x82\xAC tail";
    const BlindEvidence evidence = follow_up_evidence(record, {1'001, 100});
    EXPECT_EQ(evidence.notes[0].text.size(), 10U);
    EXPECT_EQ(evidence.notes[1].text.size(), 400U);
    EXPECT_TRUE(evidence.notes[2].text.ends_with("\n[... 3410 bytes not shown]")) << evidence.notes[2].text;
    EXPECT_TRUE(is_utf8(evidence.notes[2].text));
    EXPECT_TRUE(is_utf8(evidence.turns[1].agent));
    EXPECT_EQ(evidence.turns[1].agent, std::string(99, 'x') + "\n[... 8 bytes not shown]");
    EXPECT_GE(evidence.cut_bytes, 3'418U);
}

}  // namespace
}  // namespace pasb
