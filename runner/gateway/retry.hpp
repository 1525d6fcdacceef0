// When and after how long a failed request to an upstream is tried again. Pure: the clock and the random number are
// handed in.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pasb {

struct RetryPolicy {
    int retries = 5;  // further attempts after the first
    std::chrono::milliseconds base{1'000};
    std::chrono::milliseconds cap{60'000};               // of a back-off
    std::chrono::milliseconds retry_after_cap{300'000};  // a longer Retry-After is cut to this
};

// 408, 409, 425, 429 and 5xx but 501; everything else will not get better by asking again.
bool is_retryable(int status);

// The header's value: whole seconds, or an HTTP date (IMF-fixdate) against `now_unix`. Nothing when it is neither;
// never negative.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, std::int64_t now_unix);

// Exponential back-off with full jitter: a share `unit` in [0, 1) of base * 2^attempt, at most cap. A Retry-After,
// where given, is a lower bound and gets the jitter on top of it. `attempt` counts from 0.
std::chrono::milliseconds retry_delay(const RetryPolicy& policy, int attempt, double unit,
                                      std::optional<std::chrono::milliseconds> retry_after);

}  // namespace pasb
