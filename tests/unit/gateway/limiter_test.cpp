#include "gateway/limiter.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "model/errors.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;

NetError::Kind kind_thrown(const std::function<void()>& call) {
    try {
        call();
    } catch (const NetError& error) {
        return error.kind();
    }
    ADD_FAILURE() << "nothing was thrown";
    return NetError::Kind::protocol;
}

TEST(Limiter, NeverLetsMoreInThanAllowed) {
    Limiter limiter(2);
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    std::atomic<int> served{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] {
                for (int k = 0; k < 50; ++k) {
                    const auto permit = limiter.acquire(Deadline::after(60s));
                    const int now = ++inside;
                    int seen = most.load();
                    while (now > seen && !most.compare_exchange_weak(seen, now)) {
                    }
                    ++served;
                    --inside;
                }
            });
        }
    }
    EXPECT_LE(most.load(), 2);
    EXPECT_EQ(served.load(), 400);
}

TEST(Limiter, GivesUpAtTheDeadlineAndWhenStopped) {
    Limiter limiter(1);
    const auto held = limiter.acquire(Deadline::after(60s));
    EXPECT_EQ(kind_thrown([&] { limiter.acquire(Deadline::after(0ms)); }), NetError::Kind::timeout);
    std::stop_source source;
    source.request_stop();
    EXPECT_EQ(kind_thrown([&] { limiter.acquire(Deadline::after(60s, source.get_token())); }),
              NetError::Kind::cancelled);
}

TEST(Limiter, AStopWakesWhoeverWaits) {
    Limiter limiter(1);
    const auto held = limiter.acquire(Deadline::after(60s));
    std::stop_source source;
    std::jthread waiter([&] {
        EXPECT_EQ(kind_thrown([&] { limiter.acquire(Deadline::after(600s, source.get_token())); }),
                  NetError::Kind::cancelled);
    });
    source.request_stop();
}

TEST(Limiter, APauseHoldsEverybodyBack) {
    Limiter limiter(4);
    limiter.pause_until(Limiter::Clock::now() + 1h);
    limiter.pause_until(Limiter::Clock::now());  // does not shorten it
    EXPECT_EQ(kind_thrown([&] { limiter.acquire(Deadline::after(5ms)); }), NetError::Kind::timeout);
}

TEST(Limiter, WaitingEndsWithTheDeadline) {
    Limiter::wait(0ms, Deadline::after(60s));
    EXPECT_EQ(kind_thrown([] { Limiter::wait(1h, Deadline::after(1ms)); }), NetError::Kind::timeout);
}

}  // namespace
}  // namespace pasb
