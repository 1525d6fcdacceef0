// One call of a judge or annotator model: a prompt, a document and the contract of the reply, with retries that differ
// by what was wrong. Not the transport: retries after 429, 5xx and broken connections are the upstream's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "gateway/models.hpp"
#include "net/deadline.hpp"
#include "rubric/judge_reply.hpp"

namespace pasb {

// How many requests a command may still make; shared by its workers.
class Allowance {
  public:
    explicit Allowance(std::int64_t requests) : left_(requests) {}  // 0: without limit
    bool take(std::int64_t requests);                               // all or none
    [[nodiscard]] bool used_up() const { return refused_.load(); }  // some request was not allowed

  private:
    std::atomic<std::int64_t> left_;
    const bool limited_ = left_ > 0;
    std::atomic<bool> refused_{false};
};

// What one run may ask: its first requests are set aside before it begins, so that a run is not broken off for want of
// them; retries take from what is left for all. Throws NetError (cancelled) when there is nothing left: the run is then
// still to do.
class Credit {
  public:
    Credit(std::shared_ptr<Allowance> allowance, std::int64_t set_aside);
    void spend();

  private:
    std::shared_ptr<Allowance> allowance_;
    std::int64_t left_;
};

struct Prompt {
    std::string file;  // name under configs/prompts
    std::string text;
    std::string sha256;

    [[nodiscard]] nlohmann::json origin() const { return {{"file", file}, {"sha256", sha256}}; }
};

// Throws InputError. `root` is the project's folder.
Prompt read_prompt(const std::string& root, const std::string& name);

struct CallUsage {
    int requests = 0;
    std::int64_t prompt_tokens = 0;  // as the endpoint counted them
    std::int64_t completion_tokens = 0;
    void add(const CallUsage& other);
};

// What became of the requests of a call, or of several.
struct CallTrace {
    CallUsage usage;
    // {model, temperature, json_schema} as the request that was answered last had them; of several calls `json_schema`
    // is true only when all had a schema. Empty: nothing was asked.
    nlohmann::json asked = nlohmann::json::object();

    void add(const CallTrace& other);
};

class LlmCaller {
  public:
    explicit LlmCaller(ResolvedModel model) : model_(std::move(model)), json_schema_(model_.json_schema) {}

    struct Call {
        const Prompt& prompt;
        std::string document;
        const ReplyContract& contract;
        std::string name;  // of the JSON schema
    };

    // An unusable reply is asked for again: truncated with twice the room (twice), a refusal once, the rest twice, each
    // time with the bad reply and what was wrong with it. `trace` is of this call. Throws NetError (cancelled) when the
    // deadline is cancelled or the credit is spent. From any thread.
    JudgeReply ask(const Call& call, Credit& credit, const Deadline& deadline, CallTrace& trace);

    [[nodiscard]] const std::string& name() const { return model_.name; }

  private:
    struct Conversation;
    JudgeReply ask_once(const Call& call, const Conversation& state, Credit& credit, const Deadline& deadline,
                        CallTrace& trace);
    [[nodiscard]] nlohmann::json body_of(const Call& call, const Conversation& state) const;
    bool learn_from(const nlohmann::json& request, int status, const std::string& error);

    ResolvedModel model_;
    // What the endpoint has refused is not sent again by this process.
    std::atomic<bool> json_schema_;
    std::atomic<bool> new_token_limit_{false};  // max_completion_tokens instead of max_tokens
};

}  // namespace pasb
