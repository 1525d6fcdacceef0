// The model endpoint of one container: a Unix socket that speaks OpenAI chat completions, hands requests to an upstream
// and records every exchange. The socket tells run and chat, the caller tells the turn. Not a proxy for anything else:
// every other path is 404.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gateway/upstream.hpp"
#include "model/exchange.hpp"
#include "net/http_server.hpp"

namespace pasb {

// How many model requests a run may make; shared by the gateways of its two chats.
class RequestBudget {
  public:
    explicit RequestBudget(int limit) : left_(limit) {}
    bool take();                                                      // false once the limit is reached
    [[nodiscard]] bool exceeded() const { return exceeded_.load(); }  // some request was refused

  private:
    std::atomic<int> left_;
    std::atomic<bool> exceeded_{false};
};

class Gateway {
  public:
    using Clock = std::chrono::steady_clock;

    struct Settings {
        Clock::time_point run_start = Clock::now();           // Exchange::started_s counts from here
        std::shared_ptr<RequestBudget> budget;                // none: no limit
        std::chrono::milliseconds request_deadline{900'000};  // one request of the agent, all retries included
        unsigned socket_mode = 0666;                          // the container's user is not ours
        std::size_t body_bytes = 64U << 20U;
    };

    // Listens at once. Throws NetError.
    Gateway(const std::string& socket_path, Chat chat, std::shared_ptr<Upstream> upstream, Settings settings);
    ~Gateway();
    Gateway(const Gateway&) = delete;
    Gateway& operator=(const Gateway&) = delete;

    void begin_turn(int turn);  // 1-based; requests that arrive until end_turn belong to it
    void end_turn();

    [[nodiscard]] int in_flight() const;
    [[nodiscard]] Clock::time_point last_activity()
        const;  // of a model request: its arrival or its end; construction before the first
    [[nodiscard]] std::vector<Exchange> exchanges()
        const;    // in order of arrival; one still in flight says so in `error`
    void stop();  // breaks off what is in flight and joins; exchanges() is final afterwards

  private:
    struct Turn {
        int number = 0;
        bool open = false;
    };

    void handle(const HttpRequest& request, ResponseWriter& writer);
    void handle_completion(const HttpRequest& request, ResponseWriter& writer);
    void answer(const HttpRequest& request, ResponseWriter& writer, Exchange& exchange);
    void forward(const ChatRequest& request, ResponseWriter& writer, Exchange& exchange);
    std::pair<std::size_t, Exchange> open_exchange();
    void close_exchange(std::size_t slot, Exchange exchange);

    const Chat chat_;
    const std::shared_ptr<Upstream> upstream_;
    const Settings settings_;

    mutable std::mutex mutex_;
    Turn turn_;
    int in_flight_ = 0;
    Clock::time_point last_activity_;
    std::vector<Exchange> exchanges_;

    std::unique_ptr<HttpServer> server_;  // last: its threads use everything above
};

}  // namespace pasb
