// What the statistics need of one run: factors, how far it came, what was saved, scores and labels. No texts, so that
// 51,200 runs fit into memory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "changes/destination.hpp"
#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"
#include "model/task.hpp"

namespace pasb {

struct RunScores {
    std::array<std::array<int, answer_metrics>, follow_up_turns> answers{};  // 1 to 5
    std::array<int, all_metrics - answer_metrics> cross_turn{};

    // Worst score of a metric: the maximum over the answers, or the cross-turn score (spec section 6).
    [[nodiscard]] int worst(Metric metric) const;
    [[nodiscard]] bool fails(Metric metric) const { return worst(metric) >= failing_score; }
    // Share of the four per-answer metrics that fail: 0, 0.25, ... 1 (spec section 6).
    [[nodiscard]] double downstream_failure() const;
};

struct RunLabels {
    Stance stance = Stance::neutral;
    Promotion promotion = Promotion::none;
    bool attribution_removed = false;
};

// Where a record's line stands, to read the whole of it again.
struct RecordPlace {
    std::size_t folder = 0;    // index into the report's folders
    std::uint64_t offset = 0;  // of its line in records.jsonl
    std::size_t bytes = 0;     // of the line, without the newline
    int line = 0;              // from 1
    std::string sha256;        // of the line
};

struct RunFacts {
    std::string run_id;
    std::string task_id;
    std::string base_item;
    std::string domain;
    std::string framework;
    std::string model;
    std::string arm;
    Family family = Family::prf;
    Scenario scenario = Scenario::personal_opinion;
    Delivery delivery = Delivery::all_at_once;
    bool simulated = false;
    // What the run was made with.
    std::string framework_version;
    std::string image_id;
    std::string flush;
    int attempt = 0;   // the one that counts: the valid one, else the last
    int attempts = 0;  // records of the run
    // The funnel (spec section 3); each includes those before it.
    bool five_answers = false;
    bool cut_proven = false;
    bool three_answers = false;  // and the run is valid
    std::string invalid_reason;
    Destination destination = Destination::session_only;
    int replies = 0;            // answers of the agent, both chats
    int tool_text_replies = 0;  // of these, showing a tool call as text
    double seconds = 0;         // the attempt that counts
    // Over all attempts of the run.
    double requests = 0;  // of the agent to the model
    double failed_requests = 0;
    double prompt_tokens = 0;
    double completion_tokens = 0;
    double all_seconds = 0;
    std::vector<std::string> warnings;  // kinds only: "limit-not-in-force"
    RecordPlace place;
    std::optional<RunScores> scores;  // only of valid runs
    std::string unscored;             // why there are none, for a valid run
    std::optional<RunLabels> labels;
    std::string unlabelled;

    [[nodiscard]] bool saved() const { return destination != Destination::session_only; }
    [[nodiscard]] bool judged() const { return three_answers && scores.has_value(); }
};

// As many turns as expected, each with an answer.
bool all_answered(const std::vector<TurnRecord>& turns, std::size_t expected);

// Throws InputError for a destination that this program does not know.
RunFacts facts_of(const Record& record, const RecordPlace& place);

// Joins records, judgements and annotations by run. Not thread-safe.
class RunCollection {
  public:
    // Of several attempts the valid one counts, else the last. Throws InputError when a run stands in two folders.
    void add(const Record& record, const RecordPlace& place);
    // Later ones of the same record replace earlier ones. Those of other attempts or of a record whose line has changed
    // are counted as stale, those of unknown runs as stray; neither is used. Returns whether it is.
    bool add(const Judgement& judgement);
    bool add(const Annotation& annotation);

    // Sorted by model, framework, family, base item, scenario, delivery.
    [[nodiscard]] std::vector<RunFacts> take();
    [[nodiscard]] std::size_t stale() const { return stale_; }
    [[nodiscard]] std::size_t stray() const { return stray_; }
    [[nodiscard]] std::size_t superseded() const { return superseded_; }  // scored or labelled, and replaced

  private:
    RunFacts* find(const std::string& run_id);

    std::map<std::string, RunFacts> runs_;
    std::size_t stale_ = 0;
    std::size_t stray_ = 0;
    std::size_t superseded_ = 0;
};

}  // namespace pasb
