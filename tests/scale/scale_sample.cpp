// Writes an eval folder of synthetic test data as large as the benchmark's full size: 32 combinations of models and
// frameworks on 1,600 tasks each, judged and annotated. Texts and scores are made up; nothing in it was measured.
//   scale_sample FOLDER [COMBINATIONS [BASE_ITEMS]]
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"
#include "wire/digest.hpp"
#include "wire/seal.hpp"

namespace {

using namespace pasb;
using nlohmann::json;

constexpr int frameworks = 2;
const std::string claim = "A made-up claim: long walks before breakfast settle every argument by themselves.";

// About as much text as a real answer has.
std::string text_of(std::mt19937_64& random, std::size_t words) {
    static const std::array<const char*, 8> some{"bread", "ferry",  "ledger", "window",
                                                 "tram",  "garden", "letter", "lamp"};
    std::string text;
    for (std::size_t i = 0; i < words; ++i) {
        text += std::string(i == 0 ? "" : " ") + some.at(random() % some.size()) + std::to_string(random() % 1000);
    }
    return text;
}

Record record_of(std::mt19937_64& random, int combination, int base, int scenario, int delivery) {
    Record record;
    Task& task = record.task;
    task.base_item_id = "synthetic-" + std::to_string(base);
    task.family = base < 32 ? Family::prf : base < 50 ? Family::cdl : Family::soc;  // as spec section 2
    task.scenario = static_cast<Scenario>(scenario);
    task.delivery = static_cast<Delivery>(delivery);
    task.task_id = task.base_item_id + "-" + std::to_string(scenario) + std::to_string(delivery);
    task.domain = "lifestyle_hobby";
    task.claim = claim;
    task.ground_truth_stance = "Synthetic test data.";
    task.questions.fill(text_of(random, 30));
    record.framework = combination % frameworks == 0 ? "hermes" : "openclaw";
    record.framework_version = "synthetic";
    record.model = "synthetic-" + std::to_string(combination / frameworks);
    record.simulated = true;
    record.run_id = record.framework + "-" + record.model + "-" + task.task_id;
    record.valid = random() % 50 != 0;
    record.invalid_reason = record.valid ? "" : "turn-failed";
    record.cut = {{"proven", true}, {"requests_checked", 5}};
    record.exchanges = {{"file", "exchanges/none.jsonl.gz"}, {"sha256", ""}, {"count", 0}};
    for (int turn = 1; turn <= first_chat_turns; ++turn) {
        const std::string user = text_of(random, 40);
        task.turns.at(static_cast<std::size_t>(turn - 1)) = user;
        record.first_chat.push_back({turn, user, text_of(random, 120), 4, 1});
    }
    for (int turn = 1; turn <= follow_up_turns; ++turn) {
        record.follow_up.push_back({turn, task.questions[0], text_of(random, 250), 9, 1});
    }
    if (random() % 2 == 0) {
        NoteRecord note;
        note.path = "notes/MEMORY.md";
        note.kind = PathKind::memory;
        note.text = text_of(random, 60) + "\n" + claim + "\n";
        note.sha256 = sha256_hex(note.text);
        note.holds_claim = true;
        note.span_end = note.text.size();
        record.notes.push_back(note);
        record.saved = true;
        record.destination = "memory";
    }
    record.usage = {{"requests", 18}, {"prompt_tokens", 150'000}, {"completion_tokens", 900}};
    record.times = {{"total_s", 30.0}};
    return record;
}

int score(std::mt19937_64& random, bool saved) {
    return 1 + static_cast<int>(random() % (saved ? 5 : 3));
}

Judgement judgement_of(std::mt19937_64& random, const Record& record, const std::string& sha256) {
    Judgement judgement;
    judgement.run_id = record.run_id;
    judgement.record_sha256 = sha256;
    judgement.judge = "sim:synthetic";
    judgement.simulated = true;
    for (AnswerVerdict& verdict : judgement.answers) {
        verdict.scores.emplace();
        for (int& one : *verdict.scores) {
            one = score(random, record.saved);
        }
        verdict.rationale = text_of(random, 25);
    }
    judgement.cross_turn.scores = {score(random, record.saved), score(random, record.saved)};
    return judgement;
}

Annotation annotation_of(std::mt19937_64& random, const Record& record, const std::string& sha256) {
    Annotation annotation;
    annotation.run_id = record.run_id;
    annotation.task_id = record.task.task_id;
    annotation.model = record.model;
    annotation.framework = record.framework;
    annotation.record_sha256 = sha256;
    annotation.annotator = "sim:synthetic";
    annotation.simulated = true;
    annotation.stance = static_cast<Stance>(random() % 5);
    annotation.role_upgrade = record.saved ? static_cast<Promotion>(random() % 4) : Promotion::none;
    return annotation;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: scale_sample FOLDER [COMBINATIONS [BASE_ITEMS]]\n");
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    const int combinations = argc > 2 ? std::atoi(argv[2]) : 32;
    const int base_items = argc > 3 ? std::atoi(argv[3]) : 100;
    std::filesystem::create_directories(folder);
    std::ofstream records(folder / "records.jsonl");
    std::ofstream judgements(folder / "judgements.jsonl");
    std::ofstream annotations(folder / "annotations.jsonl");
    std::mt19937_64 random(1);
    for (int task = 0; task < combinations * base_items * 16; ++task) {
        const int variant = task % 16;
        const int base = task / 16 % base_items;
        const Record record = record_of(random, task / 16 / base_items, base, variant / 4, variant % 4);
        const std::string line = to_line(record);
        records << line << "\n";
        if (record.valid) {
            const std::string sha256 = sha256_hex(line);
            judgements << sealed(to_json(judgement_of(random, record, sha256))).dump() << "\n";
            annotations << sealed(to_json(annotation_of(random, record, sha256))).dump() << "\n";
        }
    }
    return records && judgements && annotations ? 0 : 1;
}
