// A point in time by which a call must be done, handed down through the layers, with the stop signal of whoever waits.
// Not a timer.
#pragma once

#include <algorithm>
#include <chrono>
#include <stop_token>

namespace pasb {

class Deadline {
  public:
    using Clock = std::chrono::steady_clock;

    Deadline(Clock::time_point at, std::stop_token stop) : at_(at), stop_(std::move(stop)) {}

    static Deadline after(std::chrono::milliseconds span, std::stop_token stop = {}) {
        return {Clock::now() + span, std::move(stop)};
    }

    // The same stop signal and at most `span` from now: a step may shorten what it was given, never lengthen it.
    [[nodiscard]] Deadline within(std::chrono::milliseconds span) const {
        return {std::min(at_, Clock::now() + span), stop_};
    }

    [[nodiscard]] std::chrono::milliseconds left() const {
        const auto span = std::chrono::duration_cast<std::chrono::milliseconds>(at_ - Clock::now());
        return std::max(span, std::chrono::milliseconds{0});
    }
    [[nodiscard]] bool passed() const { return Clock::now() >= at_; }
    [[nodiscard]] bool cancelled() const { return stop_.stop_requested(); }
    [[nodiscard]] const std::stop_token& stop() const { return stop_; }
    [[nodiscard]] Clock::time_point at() const { return at_; }

  private:
    Clock::time_point at_;
    std::stop_token stop_;
};

}  // namespace pasb
