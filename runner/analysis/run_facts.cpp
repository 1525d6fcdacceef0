#include "analysis/run_facts.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "analysis/tool_text.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

Destination destination_from(const Record& record) {
    for (const Destination one :
         {Destination::session_only, Destination::user, Destination::memory, Destination::skill}) {
        if (to_string(one) == record.destination) {
            return one;
        }
    }
    throw InputError("run " + record.run_id + ": unknown destination '" + record.destination +
                     "': use one of session-only, user, memory, skill");
}

void count_replies(const std::vector<TurnRecord>& turns, RunFacts& facts) {
    for (const TurnRecord& turn : turns) {
        facts.replies += turn.agent.empty() ? 0 : 1;
        facts.tool_text_replies += shows_tool_call(turn.agent) ? 1 : 0;
    }
}

RunScores scores_of(const Judgement& judgement) {
    RunScores scores;
    for (std::size_t i = 0; i < scores.answers.size(); ++i) {
        scores.answers.at(i) = judgement.answers.at(i).scores.value();
    }
    scores.cross_turn = judgement.cross_turn.scores.value();
    return scores;
}

// What all attempts together cost is a run's cost.
void add_attempts(RunFacts& to, const RunFacts& from) {
    to.attempts += from.attempts;
    to.requests += from.requests;
    to.failed_requests += from.failed_requests;
    to.prompt_tokens += from.prompt_tokens;
    to.completion_tokens += from.completion_tokens;
    to.all_seconds += from.all_seconds;
}

std::string first_unscored(const Judgement& judgement) {
    for (const AnswerVerdict& verdict : judgement.answers) {
        if (!verdict.unscored.empty()) {
            return verdict.unscored;
        }
    }
    return judgement.cross_turn.unscored;
}

}  // namespace

bool all_answered(const std::vector<TurnRecord>& turns, std::size_t expected) {
    return turns.size() == expected &&
           std::none_of(turns.begin(), turns.end(), [](const TurnRecord& turn) { return turn.agent.empty(); });
}

int RunScores::worst(Metric metric) const {
    const auto index = static_cast<std::size_t>(metric);
    if (index >= answer_metrics) {
        return cross_turn.at(index - answer_metrics);
    }
    int worst = 0;
    for (const auto& answer : answers) {
        worst = std::max(worst, answer.at(index));
    }
    return worst;
}

double RunScores::downstream_failure() const {
    int failing = 0;
    for (std::size_t i = 0; i < answer_metrics; ++i) {
        failing += fails(metric_order.at(i)) ? 1 : 0;
    }
    return failing / static_cast<double>(answer_metrics);
}

RunFacts facts_of(const Record& record, const RecordPlace& place) {
    RunFacts facts;
    facts.run_id = record.run_id;
    facts.task_id = record.task.task_id;
    facts.base_item = record.task.base_item_id;
    facts.domain = record.task.domain;
    facts.framework = record.framework;
    facts.model = record.model;
    facts.arm = record.arm;
    facts.family = record.task.family;
    facts.scenario = record.task.scenario;
    facts.delivery = record.task.delivery;
    facts.simulated = record.simulated;
    facts.framework_version = record.framework_version;
    facts.image_id = record.image_id;
    facts.flush = record.flush.policy;
    facts.attempt = record.attempt;
    facts.attempts = 1;
    facts.five_answers = all_answered(record.first_chat, first_chat_turns);
    facts.cut_proven = facts.five_answers && record.cut.value("proven", false);
    facts.three_answers = facts.cut_proven && record.valid && all_answered(record.follow_up, follow_up_turns);
    facts.invalid_reason = record.invalid_reason;
    facts.destination = destination_from(record);
    count_replies(record.first_chat, facts);
    count_replies(record.follow_up, facts);
    facts.requests = record.usage.value("requests", 0.0);
    facts.failed_requests = record.usage.value("errors", 0.0);
    facts.prompt_tokens = record.usage.value("prompt_tokens", 0.0);
    facts.completion_tokens = record.usage.value("completion_tokens", 0.0);
    facts.seconds = record.times.value("total_s", 0.0);
    facts.all_seconds = facts.seconds;
    for (const std::string& warning : record.warnings) {
        facts.warnings.push_back(warning.substr(0, warning.find(':')));
    }
    facts.place = place;
    facts.unscored = "not judged";
    facts.unlabelled = "not annotated";
    return facts;
}

void RunCollection::add(const Record& record, const RecordPlace& place) {
    RunFacts facts = facts_of(record, place);
    const auto [found, fresh] = runs_.try_emplace(facts.run_id, facts);
    if (fresh) {
        return;
    }
    RunFacts& known = found->second;
    if (known.place.folder != place.folder) {
        throw InputError("run " + facts.run_id +
                         " stands in two of the folders; a report joins evals with different runs: leave one out");
    }
    if (known.invalid_reason.empty()) {
        add_attempts(known, facts);
    } else {
        add_attempts(facts, known);
        known = std::move(facts);
    }
}

RunFacts* RunCollection::find(const std::string& run_id) {
    const auto found = runs_.find(run_id);
    return found == runs_.end() ? nullptr : &found->second;
}

bool RunCollection::add(const Judgement& judgement) {
    RunFacts* const run = find(judgement.run_id);
    if (run == nullptr) {
        ++stray_;
        return false;
    }
    if (judgement.attempt != run->attempt || judgement.record_sha256 != run->place.sha256) {
        ++stale_;
        return false;
    }
    superseded_ += run->scores ? 1U : 0U;
    run->scores.reset();
    run->unscored = first_unscored(judgement);
    if (is_scored(judgement)) {
        run->scores = scores_of(judgement);
    }
    return true;
}

bool RunCollection::add(const Annotation& annotation) {
    RunFacts* const run = find(annotation.run_id);
    if (run == nullptr) {
        ++stray_;
        return false;
    }
    if (annotation.task_id != run->task_id ||
        (!annotation.record_sha256.empty() && annotation.record_sha256 != run->place.sha256)) {
        ++stale_;
        return false;
    }
    superseded_ += run->labels ? 1U : 0U;
    run->labels.reset();
    run->unlabelled = annotation.unlabelled;
    if (annotation.unlabelled.empty()) {
        run->labels = {annotation.stance, annotation.role_upgrade, annotation.attribution_removed};
    }
    return true;
}

std::vector<RunFacts> RunCollection::take() {
    std::vector<RunFacts> runs;
    runs.reserve(runs_.size());
    for (auto& [id, run] : runs_) {
        runs.push_back(std::move(run));
    }
    runs_.clear();
    const auto key = [](const RunFacts& run) {
        return std::tie(run.model, run.framework, run.family, run.base_item, run.scenario, run.delivery, run.run_id);
    };
    std::sort(runs.begin(), runs.end(), [&key](const RunFacts& a, const RunFacts& b) { return key(a) < key(b); });
    return runs;
}

}  // namespace pasb
