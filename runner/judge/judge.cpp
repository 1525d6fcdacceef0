#include "judge/judge.hpp"

#include <chrono>
#include <utility>

#include "model/errors.hpp"
#include "rubric/blind_evidence.hpp"
#include "rubric/calls.hpp"
#include "rubric/lexical_judge.hpp"
#include "run/utc.hpp"

namespace pasb {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

json usage_json(const CallUsage& usage, Clock::time_point start) {
    return {{"requests", usage.requests},
            {"prompt_tokens", usage.prompt_tokens},
            {"completion_tokens", usage.completion_tokens},
            {"seconds", std::chrono::duration<double>(Clock::now() - start).count()}};
}

Judgement judgement_of(const Record& record, const std::string& record_sha256, const std::string& judge, int repeat) {
    Judgement judgement;
    judgement.run_id = record.run_id;
    judgement.attempt = record.attempt;
    judgement.record_sha256 = record_sha256;
    judgement.judge = judge;
    judgement.repeat = repeat;
    return judgement;
}

Annotation annotation_of(const Record& record, const std::string& record_sha256, const std::string& annotator,
                         int repeat) {
    Annotation annotation;
    annotation.run_id = record.run_id;
    annotation.task_id = record.task.task_id;
    annotation.model = record.model;
    annotation.framework = record.framework;
    annotation.record_sha256 = record_sha256;
    annotation.annotator = annotator;
    annotation.repeat = repeat;
    return annotation;
}

class LexicalJudge : public Judge {
  public:
    Judgement judge(const Record& record, const std::string& record_sha256, int repeat, const Deadline&) override {
        const auto start = Clock::now();
        Judgement judgement = judgement_of(record, record_sha256, std::string(lexical_name), repeat);
        judgement.simulated = true;
        score_lexically(record, judgement);
        judgement.usage = usage_json({}, start);
        judgement.judged = utc_now();
        return judgement;
    }
    [[nodiscard]] json prompts() const override { return json::object(); }
    [[nodiscard]] bool simulated() const override { return true; }
};

class LexicalAnnotator : public Annotator {
  public:
    Annotation annotate(const Record& record, const std::string& record_sha256, int repeat, const Deadline&) override {
        const auto start = Clock::now();
        Annotation annotation = annotation_of(record, record_sha256, std::string(lexical_name), repeat);
        annotation.simulated = true;
        label_lexically(record, annotation);
        annotation.usage = usage_json({}, start);
        annotation.annotated = utc_now();
        return annotation;
    }
    [[nodiscard]] json prompt() const override { return json::object(); }
    [[nodiscard]] bool simulated() const override { return true; }
};

class LlmJudge : public Judge {
  public:
    LlmJudge(ResolvedModel model, const std::string& root, std::shared_ptr<Allowance> allowance)
        : caller_(std::move(model)),
          answer_prompt_(read_prompt(root, "judge-answer.md")),
          cross_turn_prompt_(read_prompt(root, "judge-cross-turn.md")),
          allowance_(std::move(allowance)) {}

    Judgement judge(const Record& record, const std::string& record_sha256, int repeat,
                    const Deadline& deadline) override {
        const auto start = Clock::now();
        Credit credit(allowance_, calls_per_judgement);
        const BlindEvidence evidence = follow_up_evidence(record);
        Judgement judgement = judgement_of(record, record_sha256, caller_.name(), repeat);
        judgement.prompts = prompts();
        judgement.cut_bytes = evidence.cut_bytes;
        judgement.redactions = evidence.redactions;
        CallTrace total;
        const auto ask = [&](const LlmCaller::Call& call) {
            CallTrace trace;
            JudgeReply reply = caller_.ask(call, credit, deadline, trace);
            total.add(trace);
            return std::pair(std::move(reply), trace.usage.requests);
        };
        for (std::size_t i = 0; i < judgement.answers.size(); ++i) {
            const auto [reply, requests] =
                ask({answer_prompt_, answer_document(record, evidence, i), answer_contract(), "answer_scores"});
            judgement.answers.at(i) = answer_verdict(reply);
            judgement.answers.at(i).requests = requests;
        }
        const auto [reply, requests] = ask(
            {cross_turn_prompt_, cross_turn_document(record, evidence), cross_turn_contract(), "cross_turn_scores"});
        judgement.cross_turn = cross_turn_verdict(reply);
        judgement.cross_turn.requests = requests;
        judgement.asked = total.asked;
        judgement.usage = usage_json(total.usage, start);
        judgement.judged = utc_now();
        return judgement;
    }
    [[nodiscard]] json prompts() const override {
        return {{"answer", answer_prompt_.origin()}, {"cross_turn", cross_turn_prompt_.origin()}};
    }
    [[nodiscard]] bool simulated() const override { return false; }

  private:
    LlmCaller caller_;
    const Prompt answer_prompt_;
    const Prompt cross_turn_prompt_;
    std::shared_ptr<Allowance> allowance_;
};

class LlmAnnotator : public Annotator {
  public:
    LlmAnnotator(ResolvedModel model, const std::string& root, std::shared_ptr<Allowance> allowance)
        : caller_(std::move(model)), prompt_(read_prompt(root, "annotator.md")), allowance_(std::move(allowance)) {}

    Annotation annotate(const Record& record, const std::string& record_sha256, int repeat,
                        const Deadline& deadline) override {
        const auto start = Clock::now();
        Credit credit(allowance_, calls_per_annotation);
        CallTrace trace;
        Annotation annotation = annotation_of(record, record_sha256, caller_.name(), repeat);
        annotation.prompt = prompt();
        put_labels(caller_.ask({prompt_, annotation_document(record, first_chat_evidence(record)),
                                annotation_contract(), "annotation"},
                               credit, deadline, trace),
                   annotation);
        annotation.asked = trace.asked;
        annotation.usage = usage_json(trace.usage, start);
        annotation.annotated = utc_now();
        return annotation;
    }
    [[nodiscard]] json prompt() const override { return prompt_.origin(); }
    [[nodiscard]] bool simulated() const override { return false; }

  private:
    LlmCaller caller_;
    const Prompt prompt_;
    std::shared_ptr<Allowance> allowance_;
};

ResolvedModel model_that_judges(const std::string& name, const std::string& root, const Environment& environment) {
    if (name.starts_with("sim:")) {
        throw InputError("'" + name +
                         "' cannot judge or annotate: simulated models drive agents; the simulated judge is " +
                         std::string(lexical_name));
    }
    try {
        return resolve_model(name, read_models(root + "/configs/models.yaml"), environment);
    } catch (const InputError& error) {
        throw InputError(std::string(error.what()) + " (of the simulated ones only " + std::string(lexical_name) +
                         " judges and annotates)");
    }
}

}  // namespace

std::unique_ptr<Judge> make_judge(const std::string& name, const std::string& root, const Environment& environment,
                                  std::shared_ptr<Allowance> allowance) {
    if (name == lexical_name) {
        return std::make_unique<LexicalJudge>();
    }
    return make_llm_judge(model_that_judges(name, root, environment), root, std::move(allowance));
}

std::unique_ptr<Annotator> make_annotator(const std::string& name, const std::string& root,
                                          const Environment& environment, std::shared_ptr<Allowance> allowance) {
    if (name == lexical_name) {
        return std::make_unique<LexicalAnnotator>();
    }
    return make_llm_annotator(model_that_judges(name, root, environment), root, std::move(allowance));
}

std::unique_ptr<Judge> make_llm_judge(ResolvedModel model, const std::string& root,
                                      std::shared_ptr<Allowance> allowance) {
    return std::make_unique<LlmJudge>(std::move(model), root, std::move(allowance));
}

std::unique_ptr<Annotator> make_llm_annotator(ResolvedModel model, const std::string& root,
                                              std::shared_ptr<Allowance> allowance) {
    return std::make_unique<LlmAnnotator>(std::move(model), root, std::move(allowance));
}

}  // namespace pasb
