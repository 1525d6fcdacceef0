// An OpenAI-compatible endpoint over HTTP or HTTPS: fixes model and temperature, retries until the first byte has been
// passed on, holds the key. An error of the endpoint stays an error: no text is ever made up for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <string>

#include "gateway/limiter.hpp"
#include "gateway/retry.hpp"
#include "gateway/upstream.hpp"
#include "model/errors.hpp"
#include "net/http_client.hpp"

namespace pasb {

class HttpUpstream : public Upstream {
  public:
    struct Settings {
        std::string base_url;
        std::string model;
        std::string key;               // empty: no Authorization header
        bool send_temperature = true;  // false: the member is removed, whatever the agent sent
        int max_concurrent = 4;
        std::chrono::milliseconds timeout{600'000};  // one attempt
        RetryPolicy retry;
        std::uint64_t seed = 1;  // of the jitter
    };

    explicit HttpUpstream(Settings settings);  // throws InputError for a bad base_url

    Answer complete(const ChatRequest& request, const Deadline& deadline, const StreamSink& sink) override;
    [[nodiscard]] bool simulated() const override { return false; }

  private:
    struct Attempt {
        Answer answer;
        bool retryable = false;
        std::optional<std::chrono::milliseconds> retry_after;
    };

    Attempt attempt(const HttpRequest& message, bool stream, const Deadline& deadline, const StreamSink& sink);
    Attempt attempt_stream(const HttpRequest& message, const Deadline& deadline, const StreamSink& sink);
    [[nodiscard]] Attempt whole_answer(const HttpResponse& response, const StreamSink* sink) const;
    [[nodiscard]] Attempt http_error(const HttpResponse& response) const;
    [[nodiscard]] Attempt error_object_answer(int status, const nlohmann::json& body) const;
    [[nodiscard]] Attempt failure(int status, const std::string& for_record, const std::string& for_agent,
                                  bool retryable) const;
    [[nodiscard]] Attempt transport_failure(const NetError& error) const;

    [[nodiscard]] HttpRequest outgoing(const ChatRequest& request) const;
    [[nodiscard]] nlohmann::json changes() const;
    [[nodiscard]] std::string scrub_key(std::string_view text) const;     // of what is told of an error
    [[nodiscard]] std::string scrub_answer(std::string_view text) const;  // of what a model said
    [[nodiscard]] std::string scrub_for_agent(std::string_view text) const;
    double random_unit();

    const Settings settings_;
    const BaseUrl base_;
    Limiter limiter_;
    std::mutex random_mutex_;
    std::mt19937_64 random_;
};

}  // namespace pasb
