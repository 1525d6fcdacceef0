#include "gateway/retry.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

using namespace std::chrono_literals;

TEST(Retry, OnlyWhatMayPassIsTriedAgain) {
    for (const int status : {408, 409, 425, 429, 500, 502, 503, 504, 529}) {
        EXPECT_TRUE(is_retryable(status)) << status;
    }
    for (const int status : {200, 400, 401, 403, 404, 413, 422, 501, 600}) {
        EXPECT_FALSE(is_retryable(status)) << status;
    }
}

TEST(RetryAfter, ReadsSecondsAndDates) {
    EXPECT_EQ(parse_retry_after("7", 0), 7s);
    EXPECT_EQ(parse_retry_after("  0 ", 0), 0s);
    EXPECT_EQ(parse_retry_after("-3", 0), 0s);
    // 784111777 is the moment of RFC 9110's example date.
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", 784'111'777 - 30), 30s);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", 784'111'777 + 30), 0s);
}

TEST(RetryAfter, AnythingElseIsNothing) {
    for (const char* bad : {"", "soon", "1.5", "7s", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
                            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "99999999999999999999"}) {
        EXPECT_EQ(parse_retry_after(bad, 0), std::nullopt) << bad;
    }
}

TEST(RetryDelay, GrowsTwofoldUpToItsCap) {
    const RetryPolicy policy{5, 1'000ms, 10'000ms, 300'000ms};
    EXPECT_EQ(retry_delay(policy, 0, 0.5, {}), 500ms);
    EXPECT_EQ(retry_delay(policy, 1, 0.5, {}), 1'000ms);
    EXPECT_EQ(retry_delay(policy, 3, 0.5, {}), 4'000ms);
    EXPECT_EQ(retry_delay(policy, 4, 0.5, {}), 5'000ms);
    EXPECT_EQ(retry_delay(policy, 1'000'000, 0.5, {}), 5'000ms);
    EXPECT_EQ(retry_delay(policy, 3, 0.0, {}), 0ms);
}

TEST(RetryDelay, NeverComesBeforeRetryAfter) {
    const RetryPolicy policy{5, 1'000ms, 10'000ms, 60'000ms};
    EXPECT_EQ(retry_delay(policy, 0, 0.0, 7s), 7s);
    EXPECT_EQ(retry_delay(policy, 0, 0.5, 7s), 7'500ms);
    EXPECT_EQ(retry_delay(policy, 0, 0.0, 3'600s), 60s);
}

}  // namespace
}  // namespace pasb
