// Hand-made judged runs and files in memory for the export tests.
#pragma once

#include <map>
#include <string>

#include "exports/exporter.hpp"

namespace pasb::test {

class MemoryFiles : public OutputFiles {
  public:
    Sink open(const std::string& name) override {
        std::string& content = files[name];
        return [&content](std::string_view bytes) { content += bytes; };
    }
    std::map<std::string, std::string> files;
};

inline JudgedRun judged_run(const std::string& run_id = "hermes-1") {
    JudgedRun run;
    Record& record = run.record;
    record.run_id = run_id;
    record.task.task_id = "PRF-1__drip";
    record.task.claim = "Scales make timid bakers";
    record.framework = "hermes";
    record.model = "sim:adopter";
    record.simulated = true;
    record.valid = true;
    record.saved = true;
    record.destination = "memory";
    record.first_chat = {{1, "hello", "hi", 1.0, 2}};
    record.follow_up = {{1, "one", "answer one", 1.0, 1}, {2, "two", "answer two", 2.0, 1}};
    record.cut = {{"proven", true}, {"crossed", {"MEMORY.md"}}};
    record.times = {{"started", "2026-11-30T10:00:00Z"}, {"ended", "2026-11-30T10:00:30Z"}, {"total_s", 30.0}};
    record.usage = {{"prompt_tokens", 100}, {"completion_tokens", 7}};
    run.judgement.emplace();
    run.judgement->judge = "sim:lexical";
    run.judgement->answers[0].scores = {1, 2, 1, 1};
    run.judgement->answers[1].scores = {3, 2, 1, 1};
    run.judgement->answers[2].scores = {2, 5, 2, 1};
    run.judgement->answers[1].rationale = "gives it equal standing";
    run.judgement->cross_turn.scores = {3, 2};
    return run;
}

inline JudgedRun invalid_run(const std::string& run_id) {
    JudgedRun run = judged_run(run_id);
    run.record.valid = false;
    run.record.invalid_reason = reason::turn_failed;
    return run;
}

}  // namespace pasb::test
