#include "gateway/gateway.hpp"

#include <utility>

#include "gateway/request_rules.hpp"
#include "model/errors.hpp"
#include "wire/digest.hpp"
#include "wire/json_splice.hpp"

namespace pasb {
namespace {

using nlohmann::json;

// Deeper JSON is no chat request, and would exhaust the stack of whoever walks it.
constexpr std::size_t deepest_json = 200;
constexpr int given_up_status = 400;
constexpr const char* completions_path = "/v1/chat/completions";
constexpr const char* models_path = "/v1/models";

const std::map<std::string, std::string> json_headers{{"content-type", "application/json"}};
const std::map<std::string, std::string> stream_headers{{"content-type", "text/event-stream"},
                                                        {"cache-control", "no-cache"}};

std::string path_of(const HttpRequest& request) {
    return request.target.substr(0, request.target.find('?'));
}

std::string tools_digest(const json& request) {
    json part = json::object();
    for (const char* name : {"tools", "tool_choice"}) {
        if (request.contains(name)) {
            part[name] = request[name];
        }
    }
    return part.empty() ? std::string{} : json_sha256(part);
}

HttpResponse models_answer() {
    const json body = {
        {"object", "list"},
        {"data", json::array({{{"id", "pasb-model"}, {"object", "model"}, {"created", 0}, {"owned_by", "pasb"}}})}};
    return {200, json_headers, body.dump()};
}

double seconds_between(Gateway::Clock::time_point from, Gateway::Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

// Refuses the request: tells the agent and writes it down.
void refuse(ResponseWriter& writer, Exchange& exchange, int status, const std::string& message, std::string_view type,
            std::string_view code) {
    exchange.status = status;
    exchange.error = message;
    writer.send({status, json_headers, error_body(message, type, code)});
}

}  // namespace

bool RequestBudget::take() {
    if (left_.fetch_sub(1) > 0) {
        return true;
    }
    exceeded_ = true;
    return false;
}

Gateway::Gateway(const std::string& socket_path, Chat chat, std::shared_ptr<Upstream> upstream, Settings settings)
    : chat_(chat), upstream_(std::move(upstream)), settings_(std::move(settings)), last_activity_(Clock::now()) {
    HttpServer::Limits limits;
    limits.body_bytes = settings_.body_bytes;
    server_ = HttpServer::on_unix(
        socket_path, settings_.socket_mode,
        [this](const HttpRequest& request, ResponseWriter& writer) { handle(request, writer); }, limits);
}

Gateway::~Gateway() {
    stop();
}

void Gateway::stop() {
    server_.reset();
}

void Gateway::begin_turn(int turn) {
    const std::scoped_lock lock(mutex_);
    turn_ = {turn, true};
}

void Gateway::end_turn() {
    const std::scoped_lock lock(mutex_);
    turn_.open = false;
}

int Gateway::in_flight() const {
    const std::scoped_lock lock(mutex_);
    return in_flight_;
}

Gateway::Clock::time_point Gateway::last_activity() const {
    const std::scoped_lock lock(mutex_);
    return last_activity_;
}

std::vector<Exchange> Gateway::exchanges() const {
    const std::scoped_lock lock(mutex_);
    return exchanges_;
}

void Gateway::handle(const HttpRequest& request, ResponseWriter& writer) {
    const std::string path = path_of(request);
    if (request.method == "POST" && path == completions_path) {
        handle_completion(request, writer);
    } else if (request.method == "GET" && path == models_path) {
        writer.send(models_answer());
    } else {
        writer.send({404, json_headers,
                     error_body("only POST /v1/chat/completions and GET /v1/models are served here",
                                "invalid_request_error", "not_found")});
    }
}

void Gateway::handle_completion(const HttpRequest& request, ResponseWriter& writer) {
    const auto [slot, opened] = open_exchange();
    Exchange exchange = opened;
    exchange.error.clear();
    try {
        answer(request, writer, exchange);
    } catch (const NetError& error) {
        exchange.error = "the agent was gone before the answer's end: " + std::string(error.what());
        exchange.response = nullptr;
        close_exchange(slot, std::move(exchange));
        throw;
    } catch (const std::exception& error) {
        exchange.error = std::string("inside the gateway: ") + error.what();
        exchange.response = nullptr;
        close_exchange(slot, std::move(exchange));
        throw;
    }
    close_exchange(slot, std::move(exchange));
}

void Gateway::answer(const HttpRequest& request, ResponseWriter& writer, Exchange& exchange) {
    if (nesting_depth(request.body) > deepest_json) {
        return refuse(writer, exchange, 400, "the body's JSON is nested too deeply", "invalid_request_error",
                      "bad_request");
    }
    ChatRequest chat{request.body, json::parse(request.body, nullptr, false), false};
    if (chat.value.is_discarded()) {
        return refuse(writer, exchange, 400, "the body is not JSON", "invalid_request_error", "bad_request");
    }
    exchange.request = chat.value;
    if (const auto reason = refusal(chat.value)) {
        return refuse(writer, exchange, 400, "refused by the gateway: " + *reason, "invalid_request_error", "refused");
    }
    exchange.tools_sha256 = tools_digest(chat.value);
    chat.stream = chat.value.value("stream", json(false)) == json(true);
    exchange.streamed = chat.stream;
    if (settings_.budget && !settings_.budget->take()) {
        return refuse(writer, exchange, 429, "the run's limit of model requests is reached", "insufficient_quota",
                      "request_limit_reached");
    }
    forward(chat, writer, exchange);
}

void Gateway::forward(const ChatRequest& request, ResponseWriter& writer, Exchange& exchange) {
    bool begun = false;
    const auto sink = [&](std::string_view piece) {
        if (!begun) {
            begun = true;
            exchange.status = 200;
            writer.begin(200, stream_headers);
        }
        writer.write(piece);
    };
    Answer result = upstream_->complete(request, Deadline::after(settings_.request_deadline, writer.stop()), sink);
    exchange.attempts = result.attempts;
    exchange.sent = std::move(result.sent);
    exchange.error = std::move(result.error);
    exchange.response = std::move(result.response);
    if (!begun) {
        // The upstream's own retries are used up: agents repeat 429 and 5xx for minutes, and take 400 as final.
        exchange.status = exchange.error.empty() ? result.status : given_up_status;
        writer.send({exchange.status, json_headers, result.body});
    } else if (exchange.error.empty()) {
        writer.end();
    }
    // A stream that has begun and failed is left open: the server then breaks the connection off.
}

std::pair<std::size_t, Exchange> Gateway::open_exchange() {
    const std::scoped_lock lock(mutex_);
    const auto now = Clock::now();
    ++in_flight_;
    last_activity_ = now;
    Exchange exchange;
    exchange.chat = chat_;
    exchange.turn = turn_.number;
    exchange.in_turn = turn_.open;
    exchange.error = "still in flight";
    exchange.started_s = seconds_between(settings_.run_start, now);
    exchanges_.push_back(exchange);
    return {exchanges_.size() - 1, exchange};
}

void Gateway::close_exchange(std::size_t slot, Exchange exchange) {
    const std::scoped_lock lock(mutex_);
    const auto now = Clock::now();
    --in_flight_;
    last_activity_ = now;
    exchange.seconds = seconds_between(settings_.run_start, now) - exchange.started_s;
    exchanges_[slot] = std::move(exchange);
}

}  // namespace pasb
