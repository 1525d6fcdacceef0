// A number with its uncertainty, or the reason why there is none. What every table of the report is made of.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace pasb {

struct Interval {
    double low = 0;
    double high = 0;
};

// An interval, or why it cannot be given ("one base item only", "no variation").
struct MaybeInterval {
    std::optional<Interval> interval;
    std::string reason;  // empty exactly when there is an interval
};

// A share, a mean or a difference. All values are fractions (0.25, not 25 %) or, for mean scores, Likert points.
struct Estimate {
    std::optional<double> value;
    std::string reason;             // why there is no value; empty exactly when there is one
    double numerator = 0;           // failures of a share (whole) or of a mean of shares (may be in quarters)
    std::size_t denominator = 0;    // runs that count; of a difference: pairs, or runs of both groups
    std::size_t clusters = 0;       // base items among them
    MaybeInterval wilson;           // 95 %; shares only
    MaybeInterval cluster_robust;   // 95 %, clustered by base item
    MaybeInterval bootstrap;        // 95 %, clustered by base item within family
    std::optional<double> p_value;  // two-sided, where a test belongs to it
};

}  // namespace pasb
