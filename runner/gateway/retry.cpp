#include "gateway/retry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace pasb {
namespace {

using std::chrono::milliseconds;

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110); the obsolete forms are not read.
std::optional<std::int64_t> parse_http_date(std::string_view text) {
    static constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT" || text[19] != ':' ||
        text[22] != ':') {
        return std::nullopt;
    }
    const auto day = number(text.substr(5, 2));
    const auto month = std::find(months.begin(), months.end(), text.substr(8, 3));
    const auto year = number(text.substr(12, 4));
    const auto hour = number(text.substr(17, 2));
    const auto minute = number(text.substr(20, 2));
    const auto second = number(text.substr(23, 2));
    if (!day || !year || !hour || !minute || !second || month == months.end()) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year{*year},
                                           std::chrono::month{static_cast<unsigned>(month - months.begin() + 1)},
                                           std::chrono::day{static_cast<unsigned>(std::max(*day, 0))}};
    if (!date.ok()) {
        return std::nullopt;
    }
    const auto at = std::chrono::sys_days{date} + std::chrono::hours{*hour} + std::chrono::minutes{*minute} +
                    std::chrono::seconds{*second};
    return at.time_since_epoch().count();
}

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

bool is_retryable(int status) {
    return status == 408 || status == 409 || status == 425 || status == 429 ||
           (status >= 500 && status != 501 && status < 600);
}

std::optional<milliseconds> parse_retry_after(std::string_view value, std::int64_t now_unix) {
    value = trim(value);
    if (const auto seconds = number(value)) {
        return milliseconds{std::max<std::int64_t>(*seconds, 0) * 1'000};
    }
    if (const auto at = parse_http_date(value)) {
        return milliseconds{std::max<std::int64_t>(*at - now_unix, 0) * 1'000};
    }
    return std::nullopt;
}

milliseconds retry_delay(const RetryPolicy& policy, int attempt, double unit, std::optional<milliseconds> retry_after) {
    const double grown = std::ldexp(static_cast<double>(policy.base.count()), std::clamp(attempt, 0, 30));
    const double ceiling = std::min(grown, static_cast<double>(policy.cap.count()));
    const milliseconds jitter{static_cast<std::int64_t>(unit * ceiling)};
    return jitter + std::min(retry_after.value_or(milliseconds{0}), policy.retry_after_cap);
}

}  // namespace pasb
