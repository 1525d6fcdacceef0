#include "agent/agent_control.hpp"

#include <nlohmann/json.hpp>
#include <thread>

#include "model/errors.hpp"
#include "wire/json_template.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;

constexpr auto ready_poll = 100ms;
constexpr std::size_t reply_limit = 8U << 20U;  // an agent is not trusted to be brief

HttpRequest request_for(const HttpCall& call, const TemplateValues& values) {
    HttpRequest request;
    request.method = call.method;
    request.target = fill_template(call.path, values);
    for (const auto& [name, text] : call.headers) {
        request.headers[name] = fill_template(text, values);
    }
    if (!call.body.is_null()) {
        request.headers.emplace("Content-Type", "application/json");
        request.body =
            fill_json_template(call.body, values).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    return request;
}

std::string beginning(const std::string& text) {
    return text.substr(0, 300);
}

}  // namespace

AgentControl::AgentControl(const Adapter& adapter, const std::string& socket, const std::string& run,
                           const std::string& session)
    : adapter_(adapter), run_(run), session_(fill_template(session, TemplateValues{{"run", run}})) {
    endpoint_.unix_path = socket;
}

std::string AgentControl::wait_ready(const std::function<bool()>& alive, const Deadline& deadline) const {
    const Deadline limit = deadline.within(std::chrono::seconds(adapter_.ready.deadline_s));
    const HttpRequest request = request_for(adapter_.ready, {{"session", session_}, {"run", run_}});
    std::string last = "no answer yet";
    int polls = 0;
    while (!limit.passed() && !limit.cancelled()) {
        try {
            const HttpResponse response = http_request(endpoint_, request, limit.within(5s), reply_limit);
            if (response.status == adapter_.ready.status) {
                return {};
            }
            last = "status " + std::to_string(response.status) + ": " + beginning(response.body);
        } catch (const NetError& error) {
            last = error.what();
        }
        // Asking the engine costs more than asking the agent, so it is asked about once a second.
        if (++polls % 10 == 0 && !alive()) {
            return "its container has ended; last answer: " + last;
        }
        std::this_thread::sleep_for(ready_poll);
    }
    return limit.cancelled() ? "cancelled" : "not ready in time; last answer: " + last;
}

TurnResult AgentControl::take_turn(const std::string& text, const Deadline& deadline) const {
    const Deadline limit = deadline.within(std::chrono::seconds(adapter_.turn.deadline_s));
    const HttpRequest request = request_for(adapter_.turn, {{"session", session_}, {"run", run_}, {"text", text}});
    TurnResult result;
    HttpResponse response;
    try {
        response = http_request(endpoint_, request, limit, reply_limit);
    } catch (const NetError& error) {
        result.failure = error.what();
        return result;
    }
    if (response.status != adapter_.turn.status) {
        result.failure =
            "the agent answered status " + std::to_string(response.status) + ": " + beginning(response.body);
        return result;
    }
    const nlohmann::json answer = nlohmann::json::parse(response.body, nullptr, false);
    const std::optional<std::string> reply =
        answer.is_discarded() ? std::nullopt : reply_text(answer, adapter_.turn.reply);
    if (!reply) {
        result.empty = true;
        result.failure = "the agent's answer has no text at " + adapter_.turn.reply + ": " + beginning(response.body);
        return result;
    }
    result.ok = true;
    result.reply = *reply;
    return result;
}

}  // namespace pasb
