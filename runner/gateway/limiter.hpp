// What all requests to one upstream share: how many may be under way at once, and a pause that one request's 429
// imposes on all. Not a queue with an order: whoever wakes first goes first.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "net/deadline.hpp"

namespace pasb {

class Limiter {
  public:
    using Clock = std::chrono::steady_clock;

    explicit Limiter(int max_concurrent) : free_(max_concurrent) {}

    // Gives its place back when destroyed.
    class Permit {
      public:
        explicit Permit(Limiter& limiter) : limiter_(limiter) {}
        ~Permit() { limiter_.release(); }
        Permit(const Permit&) = delete;
        Permit& operator=(const Permit&) = delete;

      private:
        Limiter& limiter_;
    };

    // Waits for a place and for the end of a pause. Throws NetError timeout or cancelled.
    Permit acquire(const Deadline& deadline);
    void pause_until(Clock::time_point at);  // never shortens a pause
    // Waits out `span` or until the deadline; holds no place. Throws as acquire.
    static void wait(std::chrono::milliseconds span, const Deadline& deadline);

  private:
    void release();

    std::mutex mutex_;
    std::condition_variable_any changed_;
    int free_;
    Clock::time_point paused_until_{};
};

}  // namespace pasb
