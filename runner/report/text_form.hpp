// How the report's numbers are printed for people, in every format. Pure text; escaping for a format is the format's
// business, full precision is report/csv's and report/json's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/document.hpp"

namespace pasb {

// "42.3 %", "+12.4 pp", "1,600", "3.25", "23.4 s", "1.2 MB", "0.003", "< 0.001".
std::string value_text(double value, Unit unit);

// "30.1 to 55.2 %": the unit once.
std::string interval_text(const Interval& interval, Unit unit);

struct NamedInterval {
    std::string_view name;  // "95 % bootstrap by base item"
    Interval interval;
};

// The one interval that stands beside a number: of those there are, the one that assumes least (16 tasks of a base item
// are not independent, which Wilson's interval takes them to be). A share's is cut to 0 and 1 and a difference of
// shares' to -1 and 1, which a normal approximation knows nothing of; report.json and the CSV files have it as it was
// computed.
std::optional<NamedInterval> headline_interval(const Estimate& estimate, Unit unit);

// "12 of 48" for a share, "n = 48" for all else.
std::string count_text(const Estimate& estimate, Unit unit);

// All that is known of an estimate, a line each: count, base items, intervals or why there are none, p-value.
std::vector<std::string> estimate_lines(const Estimate& estimate, Unit unit);

// On one line: "42.3 % (12 of 48) [30.1 to 55.2 %]", "n/a (reason)".
std::string cell_text(const Cell& cell, Unit unit);

// The shortest digits that read back as the same number; "" for what is not finite.
std::string exact_text(double value);

}  // namespace pasb
