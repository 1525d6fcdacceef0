#include "report/text_form.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace pasb {
namespace {

std::string fixed(double value, int digits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    std::string result(text.data());
    // "-0.0" says a sign that the digits do not have.
    const bool zero = result.find_first_not_of("-0.") == std::string::npos;
    return zero && result.front() == '-' ? result.substr(1) : result;
}

std::string with_sign(const std::string& number) {
    const bool zero = number.find_first_not_of("0.") == std::string::npos;
    return (number.front() == '-' || zero ? "" : "+") + number;
}

std::string grouped(double value) {
    const bool whole = value == std::floor(value);
    std::string text = fixed(value, whole ? 0 : 2);
    const std::size_t first_digit = text.front() == '-' ? 1 : 0;
    const std::size_t point = text.find('.');
    for (std::size_t at = point == std::string::npos ? text.size() : point; at > first_digit + 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

std::string bytes_text(double value) {
    constexpr std::array<const char*, 4> units{" B", " kB", " MB", " GB"};
    std::size_t unit = 0;
    while (std::abs(value) >= 1000 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return fixed(value, unit == 0 ? 0 : 1) + units.at(unit);
}

std::string p_text(double value) {
    if (value < 0.001) {
        return "< 0.001";
    }
    return value > 0.999 ? "> 0.999" : fixed(value, 3);
}

// A number without its unit; `suffix` gives that.
std::string bare(double value, Unit unit) {
    switch (unit) {
        case Unit::share:
            return fixed(value * 100, 1);
        case Unit::difference:
            return with_sign(fixed(value * 100, 1));
        case Unit::score:
            return fixed(value, 2);
        case Unit::seconds:
            return fixed(value, 1);
        case Unit::bytes:
            return bytes_text(value);
        case Unit::p_value:
            return p_text(value);
        case Unit::coefficient:
            return fixed(value, 3);
        case Unit::text:
        case Unit::count:
            break;
    }
    return grouped(value);
}

const char* suffix(Unit unit) {
    switch (unit) {
        case Unit::share:
            return " %";
        case Unit::difference:
            return " pp";
        case Unit::seconds:
            return " s";
        default:
            return "";
    }
}

void add_interval(std::vector<std::string>& lines, const char* name, const MaybeInterval& maybe, Unit unit) {
    if (maybe.interval) {
        lines.push_back(std::string(name) + ": " + interval_text(*maybe.interval, unit));
    } else if (!maybe.reason.empty()) {
        lines.push_back(std::string(name) + ": n/a (" + maybe.reason + ")");
    }
}

constexpr const char* bootstrap_name = "95 % bootstrap by base item";
constexpr const char* cluster_name = "95 % clustered by base item";
constexpr const char* wilson_name = "95 % Wilson";

Interval cut_to_scale(const Interval& interval, Unit unit) {
    if (unit != Unit::share && unit != Unit::difference) {
        return interval;
    }
    const double least = unit == Unit::share ? 0 : -1;
    return {std::clamp(interval.low, least, 1.0), std::clamp(interval.high, least, 1.0)};
}

}  // namespace

std::string value_text(double value, Unit unit) {
    return std::isfinite(value) ? bare(value, unit) + suffix(unit) : "n/a (not a finite number)";
}

std::string interval_text(const Interval& interval, Unit unit) {
    return bare(interval.low, unit) + " to " + bare(interval.high, unit) + suffix(unit);
}

std::optional<NamedInterval> headline_interval(const Estimate& estimate, Unit unit) {
    if (estimate.bootstrap.interval) {
        return NamedInterval{bootstrap_name, cut_to_scale(*estimate.bootstrap.interval, unit)};
    }
    if (estimate.cluster_robust.interval) {
        return NamedInterval{cluster_name, cut_to_scale(*estimate.cluster_robust.interval, unit)};
    }
    if (estimate.wilson.interval) {
        return NamedInterval{wilson_name, *estimate.wilson.interval};
    }
    return std::nullopt;
}

std::string count_text(const Estimate& estimate, Unit unit) {
    const std::string denominator = grouped(static_cast<double>(estimate.denominator));
    return unit == Unit::share ? grouped(estimate.numerator) + " of " + denominator : "n = " + denominator;
}

std::vector<std::string> estimate_lines(const Estimate& estimate, Unit unit) {
    std::vector<std::string> lines{count_text(estimate, unit)};
    if (estimate.clusters > 0) {
        lines.front() += ", " + grouped(static_cast<double>(estimate.clusters)) +
                         (estimate.clusters == 1 ? " base item" : " base items");
    }
    add_interval(lines, wilson_name, estimate.wilson, unit);
    add_interval(lines, cluster_name, estimate.cluster_robust, unit);
    add_interval(lines, bootstrap_name, estimate.bootstrap, unit);
    if (estimate.p_value) {
        lines.push_back("p = " + value_text(*estimate.p_value, Unit::p_value));
    }
    return lines;
}

std::string cell_text(const Cell& cell, Unit unit) {
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return *text;
    }
    if (const auto* number = std::get_if<double>(&cell)) {
        return value_text(*number, unit);
    }
    if (const auto* missing = std::get_if<NotAvailable>(&cell)) {
        return "n/a (" + missing->reason + ")";
    }
    const Estimate& estimate = std::get<Estimate>(cell);
    if (!estimate.value) {
        return "n/a (" + estimate.reason + ")";
    }
    std::string text = value_text(*estimate.value, unit) + " (" + count_text(estimate, unit) + ")";
    if (const auto interval = headline_interval(estimate, unit)) {
        text += " [" + interval_text(interval->interval, unit) + "]";
    }
    return text;
}

std::string exact_text(double value) {
    if (!std::isfinite(value)) {
        return "";
    }
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end.ptr};
}

}  // namespace pasb
