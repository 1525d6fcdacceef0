#include "judge/llm_caller.hpp"

#include <algorithm>
#include <utility>

#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "net/file.hpp"
#include "rubric/calls.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using nlohmann::json;

// Room for the reasoning of models that leave it in the answer's budget.
constexpr int first_max_tokens = 4'096;
constexpr int most_doublings = 2;
constexpr int most_corrections = 2;
constexpr int most_after_refusal = 1;
constexpr std::size_t quoted_reply_bytes = 4'000;
constexpr std::size_t error_bytes = 400;

std::string one_line(std::string_view text) {
    std::string line = to_utf8(text.substr(0, error_bytes));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return line;
}

std::int64_t tokens(const json& response, const char* name) {
    const auto usage = response.find("usage");
    if (usage == response.end() || !usage->is_object()) {
        return 0;
    }
    const json count = usage->value(name, json());
    return count.is_number_integer() && count > 0 ? count.get<std::int64_t>() : 0;
}

// From what the upstream says that it has sent: it may leave the temperature out, and its model is the one that counts.
json asked_by(const json& request, const Answer& answer) {
    const json sent = answer.sent.is_object() ? answer.sent : json::object();
    const json temperature = sent.value("temperature", json());
    return {{"model", sent.value("model", request.at("model"))},
            {"temperature", temperature.is_number() ? temperature : json()},
            {"json_schema", request.contains("response_format")}};
}

[[noreturn]] void leave_undone(const char* why) {
    throw NetError(NetError::Kind::cancelled, why);
}

bool is_refusal(const std::string& reason) {
    return reason == unscored::refusal || reason == unscored::content_filter;
}

}  // namespace

bool Allowance::take(std::int64_t requests) {
    if (!limited_) {
        return true;
    }
    std::int64_t left = left_.load();
    while (left >= requests) {
        if (left_.compare_exchange_weak(left, left - requests)) {
            return true;
        }
    }
    refused_ = true;
    return false;
}

Credit::Credit(std::shared_ptr<Allowance> allowance, std::int64_t set_aside)
    : allowance_(std::move(allowance)), left_(set_aside) {
    if (!allowance_->take(set_aside)) {
        leave_undone("no requests left");
    }
}

void Credit::spend() {
    if (left_ > 0) {
        --left_;
    } else if (!allowance_->take(1)) {
        leave_undone("no requests left");
    }
}

Prompt read_prompt(const std::string& root, const std::string& name) {
    Prompt prompt{"configs/prompts/" + name, "", ""};
    prompt.text = read_file(root + "/" + prompt.file);
    prompt.sha256 = sha256_hex(prompt.text);
    return prompt;
}

void CallUsage::add(const CallUsage& other) {
    requests += other.requests;
    prompt_tokens += other.prompt_tokens;
    completion_tokens += other.completion_tokens;
}

void CallTrace::add(const CallTrace& other) {
    usage.add(other.usage);
    const bool all_by_schema = asked.value("json_schema", true) && other.asked.value("json_schema", true);
    if (!other.asked.empty()) {
        asked = other.asked;
        asked["json_schema"] = all_by_schema;
    }
}

// What changes from one request of a call to the next.
struct LlmCaller::Conversation {
    int max_tokens = first_max_tokens;
    int doublings = 0;
    int corrections = 0;
    std::string bad_reply;   // the last one
    std::string correction;  // empty: the first request

    // Prepares the next request; false when there is to be none.
    bool go_on(const JudgeReply& reply, const ReplyContract& contract) {
        if (reply.unscored == unscored::truncated) {
            max_tokens *= 2;
            return ++doublings <= most_doublings;
        }
        if (reply.unscored.starts_with(unscored::upstream_failed) ||
            corrections >= (is_refusal(reply.unscored) ? most_after_refusal : most_corrections)) {
            return false;
        }
        ++corrections;
        bad_reply = to_utf8(std::string_view(reply.text).substr(0, quoted_reply_bytes));
        correction = correction_for(reply.unscored, contract);
        return true;
    }
};

JudgeReply LlmCaller::ask(const Call& call, Credit& credit, const Deadline& deadline, CallTrace& trace) {
    Conversation state;
    while (true) {
        JudgeReply reply = ask_once(call, state, credit, deadline, trace);
        if (reply.unscored.empty() || !state.go_on(reply, call.contract)) {
            return reply;
        }
    }
}

JudgeReply LlmCaller::ask_once(const Call& call, const Conversation& state, Credit& credit, const Deadline& deadline,
                               CallTrace& trace) {
    while (true) {
        if (deadline.cancelled()) {
            leave_undone("interrupted");
        }
        credit.spend();
        ChatRequest request;
        request.value = body_of(call, state);
        request.body = request.value.dump();
        const Answer answer = model_.upstream->complete(request, deadline, {});
        trace.usage.add({1, answer.error.empty() ? tokens(answer.response, "prompt_tokens") : 0,
                         answer.error.empty() ? tokens(answer.response, "completion_tokens") : 0});
        trace.asked = asked_by(request.value, answer);
        if (answer.error.empty()) {
            return read_reply(answer.response, call.contract);
        }
        if (deadline.cancelled()) {
            leave_undone("interrupted");
        }
        if (!learn_from(request.value, answer.status, answer.error)) {
            JudgeReply failed;
            failed.unscored = std::string(unscored::upstream_failed) + one_line(answer.error);
            return failed;
        }
    }
}

json LlmCaller::body_of(const Call& call, const Conversation& state) const {
    json messages = json::array({{{"role", "system"}, {"content", call.prompt.text}}});
    if (state.correction.empty()) {
        messages.push_back({{"role", "user"}, {"content", call.document}});
    } else if (state.bad_reply.empty()) {
        // Endpoints refuse an assistant's message without content.
        messages.push_back({{"role", "user"}, {"content", call.document + "\n\n" + state.correction}});
    } else {
        messages.push_back({{"role", "user"}, {"content", call.document}});
        messages.push_back({{"role", "assistant"}, {"content", state.bad_reply}});
        messages.push_back({{"role", "user"}, {"content", state.correction}});
    }
    json body{{"model", model_.id}, {"temperature", 0}, {"stream", false}, {"messages", std::move(messages)}};
    body[new_token_limit_ ? "max_completion_tokens" : "max_tokens"] = state.max_tokens;
    if (json_schema_) {
        body["response_format"] = response_format(call.contract, call.name);
    }
    return body;
}

// Whether the error says that a member of this request is not taken here, so that the same may be asked without it.
bool LlmCaller::learn_from(const json& request, int status, const std::string& error) {
    const auto names = [&error](const char* word) { return error.find(word) != std::string::npos; };
    if (status != 400 && status != 422) {
        return false;
    }
    if (request.contains("max_tokens") && names("max_completion_tokens")) {
        new_token_limit_ = true;
        return true;
    }
    if (request.contains("response_format") && (names("response_format") || names("json_schema"))) {
        json_schema_ = false;
        return true;
    }
    return false;
}

}  // namespace pasb
