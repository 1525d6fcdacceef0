#include "gateway/http_upstream.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "gateway/stream_reader.hpp"
#include "model/errors.hpp"
#include "wire/chat_stream.hpp"
#include "wire/json_splice.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr std::size_t deepest_json = 200;
constexpr std::size_t error_text_bytes = 1'000;

// Below this a key is a word that an endpoint without keys was given ("none", "EMPTY", "lm-studio"): no secret, and it
// stands in answers by chance, where replacing it would change what the model said, or a count of tokens. Keys of
// providers are far longer.
constexpr std::size_t shortest_secret = 12;

std::int64_t now_unix() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string replace_all(std::string text, std::string_view what, std::string_view with) {
    for (auto at = text.find(what); !what.empty() && at != std::string::npos; at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
    return text;
}

json parse(std::string_view text) {
    return nesting_depth(text) > deepest_json ? json(json::value_t::discarded) : json::parse(text, nullptr, false);
}

std::optional<std::string> header(const HttpResponse& response, const std::string& name) {
    const auto found = response.headers.find(name);
    return found == response.headers.end() ? std::nullopt : std::optional(found->second);
}

// The message of an error object in any of the shapes that servers use.
std::string message_of(const json& error) {
    if (error.is_string()) {
        return error.get<std::string>();
    }
    const json message = error.is_object() ? error.value("message", json()) : json();
    return message.is_string() ? message.get<std::string>() : "no message";
}

std::string text_member(const json& error, const char* name, const std::string& otherwise) {
    const json value = error.is_object() ? error.value(name, json()) : json();
    return value.is_string() ? value.get<std::string>() : otherwise;
}

// An error object may carry the HTTP status that the answer should have had.
int status_in(const json& error, int otherwise) {
    for (const char* name : {"code", "status"}) {
        const json value = error.is_object() ? error.value(name, json()) : json();
        if (value.is_number_integer() && value >= 400 && value < 600) {
            return value.get<int>();
        }
    }
    return otherwise;
}

bool refuses_the_key(int status) {
    return status == 401 || status == 403;
}

// Collects a body that should have been a stream, up to what an answer may hold.
struct Body {
    std::string text;
    bool add(std::string_view piece) {
        text += piece;
        return text.size() <= default_body_limit;
    }
};

// Keeps what the sink throws apart from what the connection to the upstream throws.
class GuardedSink {
  public:
    explicit GuardedSink(const StreamSink& sink)
        : call_([this, &sink](std::string_view piece) {
              try {
                  sink(piece);
              } catch (...) {
                  thrown_ = std::current_exception();
                  throw;
              }
          }) {}
    [[nodiscard]] const StreamSink& call() const { return call_; }
    void rethrow() const {
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
    }

  private:
    std::exception_ptr thrown_;
    StreamSink call_;
};

}  // namespace

HttpUpstream::HttpUpstream(Settings settings)
    : settings_(std::move(settings)),
      base_(parse_base_url(settings_.base_url)),
      limiter_(settings_.max_concurrent),
      random_(settings_.seed) {}

Answer HttpUpstream::complete(const ChatRequest& request, const Deadline& deadline, const StreamSink& sink) {
    HttpRequest message;
    try {
        message = outgoing(request);
    } catch (const InputError& error) {
        return failure(400, error.what(), error.what(), false).answer;
    }
    for (int tried = 0;; ++tried) {
        Attempt last = attempt(message, request.stream, deadline, sink);
        last.answer.attempts = tried + 1;
        last.answer.sent = changes();
        if (!last.retryable || last.answer.began || tried >= settings_.retry.retries) {
            return std::move(last.answer);
        }
        const auto delay = retry_delay(settings_.retry, tried, random_unit(), last.retry_after);
        if (last.retry_after) {
            limiter_.pause_until(Limiter::Clock::now() + std::min(*last.retry_after, settings_.retry.retry_after_cap));
        }
        try {
            Limiter::wait(delay, deadline);
        } catch (const NetError& error) {
            last.answer.error += std::string("; not tried again: ") + error.what();
            return std::move(last.answer);
        }
    }
}

HttpUpstream::Attempt HttpUpstream::attempt(const HttpRequest& message, bool stream, const Deadline& deadline,
                                            const StreamSink& sink) {
    const GuardedSink guarded(sink);
    try {
        const auto permit = limiter_.acquire(deadline);
        const Deadline own = deadline.within(settings_.timeout);
        return stream ? attempt_stream(message, own, guarded.call())
                      : whole_answer(http_request(base_.endpoint, message, own), nullptr);
    } catch (const NetError& error) {
        guarded.rethrow();
        return transport_failure(error);
    }
}

HttpUpstream::Attempt HttpUpstream::attempt_stream(const HttpRequest& message, const Deadline& deadline,
                                                   const StreamSink& sink) {
    StreamReader reader(sink, [this](std::string_view text) { return scrub_answer(text); });
    Body plain;
    bool is_stream = false;
    HttpResponse response;
    bool broken = false;
    try {
        http_stream(
            base_.endpoint, message, deadline,
            [&](const HttpResponse& head) {
                response = head;
                is_stream =
                    head.status == 200 && header(head, "content-type").value_or("").find("json") == std::string::npos;
            },
            [&](std::string_view piece) { return is_stream ? reader.feed(piece) : plain.add(piece); });
    } catch (const NetError& error) {
        const bool cut_short = is_stream && error.kind() == NetError::Kind::closed;
        if (!cut_short) {
            Attempt failed = transport_failure(error);
            failed.answer.began = reader.began();
            return failed;
        }
        broken = true;
    }
    if (!is_stream) {
        response.body = std::move(plain.text);
        return whole_answer(response, &sink);
    }
    reader.finish(broken);
    Attempt result;
    if (!reader.error_event().is_null()) {
        result = error_object_answer(502, reader.error_event());
    } else if (!reader.failure().empty()) {
        result = failure(502, reader.failure(), "the upstream's stream was no answer", true);
    } else {
        result.answer.status = 200;
        result.answer.response = reader.completion();
    }
    result.answer.began = reader.began();
    return result;
}

// An answer in one piece. Where the agent asked for a stream (`sink`), the upstream has ignored that: it is cut into
// one here.
HttpUpstream::Attempt HttpUpstream::whole_answer(const HttpResponse& response, const StreamSink* sink) const {
    if (response.status != 200) {
        return http_error(response);
    }
    const std::string body = scrub_answer(response.body);
    const json value = parse(body);
    if (value.is_discarded()) {
        return failure(502, "HTTP 200 with a body that is not JSON", "the upstream's answer was not JSON", true);
    }
    if (error_object(value) != nullptr) {
        return error_object_answer(502, value);
    }
    if (const std::string problem = completion_problem(value); !problem.empty()) {
        return failure(502, "HTTP 200 with a body that is no chat completion: " + problem,
                       "the upstream's answer was no chat completion", true);
    }
    Attempt result;
    result.answer.status = 200;
    result.answer.response = value;
    if (sink != nullptr) {
        (*sink)(completion_sse(value, true));
        result.answer.began = true;
    } else {
        result.answer.body = body;
    }
    return result;
}

HttpUpstream::Attempt HttpUpstream::http_error(const HttpResponse& response) const {
    const json value = parse(response.body);
    Attempt result;
    if (!value.is_discarded() && error_object(value) != nullptr && !refuses_the_key(response.status)) {
        result = error_object_answer(response.status, value);
        result.answer.status = response.status;
        result.retryable = is_retryable(response.status);
    } else {
        const std::string what = "the upstream answered HTTP " + std::to_string(response.status);
        // What an upstream says about a key may hold parts of it, so it goes nowhere.
        const std::string said =
            refuses_the_key(response.status) ? "" : ": " + response.body.substr(0, error_text_bytes);
        result =
            failure(response.status < 400 ? 502 : response.status, what + said, what, is_retryable(response.status));
    }
    if (const auto wait = header(response, "retry-after"); wait && result.retryable) {
        result.retry_after = parse_retry_after(*wait, now_unix());
    }
    return result;
}

HttpUpstream::Attempt HttpUpstream::error_object_answer(int status, const json& body) const {
    const json& error = *error_object(body);
    const int real = status_in(error, status);
    const std::string message =
        refuses_the_key(real) ? "the upstream refused the key" : message_of(error).substr(0, error_text_bytes);
    Attempt result = failure(real, "the upstream answered with an error (" + std::to_string(real) + "): " + message,
                             message, is_retryable(real));
    result.answer.body =
        error_body(scrub_for_agent(message), scrub_for_agent(text_member(error, "type", "upstream_error")),
                   scrub_for_agent(text_member(error, "code", "upstream_error")));
    return result;
}

HttpUpstream::Attempt HttpUpstream::failure(int status, const std::string& for_record, const std::string& for_agent,
                                            bool retryable) const {
    Attempt result;
    result.answer.status = status;
    result.answer.error = scrub_key(for_record);
    result.answer.body = error_body(scrub_for_agent(for_agent), "upstream_error", "upstream_error");
    result.retryable = retryable;
    return result;
}

HttpUpstream::Attempt HttpUpstream::transport_failure(const NetError& error) const {
    switch (error.kind()) {
        case NetError::Kind::timeout:
            return failure(504, error.what(), "the upstream did not answer in time", true);
        case NetError::Kind::cancelled:
            return failure(499, error.what(), "the request was cancelled", false);
        default:
            return failure(502, error.what(), "the upstream could not be reached or broke off", true);
    }
}

HttpRequest HttpUpstream::outgoing(const ChatRequest& request) const {
    HttpRequest message;
    message.method = "POST";
    message.target = base_.prefix + "/chat/completions";
    message.headers = {{"Content-Type", "application/json"},
                       {"Accept", request.stream ? "text/event-stream" : "application/json"},
                       {"User-Agent", "pasb"}};
    if (!settings_.key.empty()) {
        message.headers["Authorization"] = "Bearer " + settings_.key;
    }
    message.body = replace_members(
        request.body, {{"model", json(settings_.model).dump()},
                       {"temperature", settings_.send_temperature ? std::optional<std::string>("0") : std::nullopt}});
    return message;
}

json HttpUpstream::changes() const {
    return {{"model", settings_.model}, {"temperature", settings_.send_temperature ? json(0) : json("omitted")}};
}

std::string HttpUpstream::scrub_key(std::string_view text) const {
    return replace_all(std::string(text), settings_.key, "[key]");
}

std::string HttpUpstream::scrub_answer(std::string_view text) const {
    return settings_.key.size() < shortest_secret ? std::string(text) : scrub_key(text);
}

std::string HttpUpstream::scrub_for_agent(std::string_view text) const {
    std::string clean = replace_all(scrub_key(text), settings_.base_url, "[upstream]");
    return replace_all(std::move(clean),
                       base_.endpoint.unix_path.empty() ? base_.endpoint.host : base_.endpoint.unix_path, "[upstream]");
}

double HttpUpstream::random_unit() {
    const std::scoped_lock lock(random_mutex_);
    return std::uniform_real_distribution<double>(0, 1)(random_);
}

}  // namespace pasb
