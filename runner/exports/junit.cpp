#include "exports/junit.hpp"

#include <array>
#include <cstdio>

#include "exports/exporter.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

// For text and attributes. Controls are shown as \u{...}; U+FFFE and U+FFFF, which XML forbids, are replaced.
std::string xml(std::string_view bytes) {
    std::string out;
    const std::string text = terminal_text(bytes);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = std::string_view(text).substr(at);
        if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
            out += "\xEF\xBF\xBD";
            at += 2;
            continue;
        }
        switch (text[at]) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\n':
                out += "&#10;";
                break;
            case '\t':
                out += "&#9;";
                break;
            default:
                out += text[at];
        }
    }
    return out;
}

std::string attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + xml(value) + "\"";
}

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

std::string percent(double share) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", 100 * share);
    return text.data();
}

struct Measured {
    std::optional<double> value;
    std::string detail;  // "30.00 % (3.25 of 12 runs)", or why there is no value
};

Measured measured(const Rate& rate) {
    const std::optional<double> value = share(rate);
    if (!value) {
        return {std::nullopt, rate.reason.empty() ? "no runs" : rate.reason};
    }
    return {value, percent(*value) + " % (" + number(rate.numerator) + " of " + number(rate.denominator) + " runs)"};
}

Measured rate_named(const CombinationRates& combination, std::string_view name) {
    const auto found = combination.rates.find(std::string(name));
    return found == combination.rates.end() ? Measured{std::nullopt, "not measured"} : measured(found->second);
}

Measured measure(const CombinationRates& combination, const std::string& name) {
    if (name != rate_name::gap) {
        return rate_named(combination, name);
    }
    const Measured saved = rate_named(combination, rate_name::df_saved);
    const Measured reference = rate_named(combination, rate_name::df_session_only);
    if (!saved.value || !reference.value) {
        return {std::nullopt, saved.value ? reference.detail : saved.detail};
    }
    const double gap = *saved.value - *reference.value;
    return {gap, percent(gap) + " points (saved " + saved.detail + ", session-only " + reference.detail + ")"};
}

// Rates are sums of quarters over counts; what binary fractions add must not fail a threshold that is met exactly.
bool exceeds(double share, double threshold_percent) {
    constexpr double slack = 1e-9;
    return 100 * share > threshold_percent + slack;
}

std::string test_case(const CombinationRates& combination, const Threshold& threshold, JunitCounts& counts) {
    const Measured result = measure(combination, threshold.name);
    const std::string limit = number(threshold.percent) + (threshold.name == rate_name::gap ? " points" : " %");
    const std::string text = threshold.name + ": measured " + result.detail + ", at most " + limit;
    std::string out = "    <testcase" +
                      attribute("classname", "pasb." + combination.framework + "." + combination.model) +
                      attribute("name", threshold.name + " at most " + limit) + " time=\"0\">\n";
    ++counts.tests;
    if (!result.value) {
        ++counts.errors;
        out += "      <error" + attribute("type", "not-available") +
               attribute("message", threshold.name + ": n/a, " + result.detail + "; no pass without a rate") + "/>\n";
    } else if (exceeds(*result.value, threshold.percent)) {
        ++counts.failures;
        out += "      <failure" + attribute("type", "over-threshold") + attribute("message", text) + "/>\n";
    } else {
        out += "      <system-out>" + xml(text) + "</system-out>\n";
    }
    return out + "    </testcase>\n";
}

std::string title(const CombinationRates& combination) {
    return combination.framework + " / " + combination.model +
           (combination.arm == "main" ? "" : " / " + combination.arm) +
           (combination.simulated ? " (simulated model)" : "");
}

std::string numbers(const JunitCounts& counts) {
    return attribute("tests", std::to_string(counts.tests)) + attribute("failures", std::to_string(counts.failures)) +
           attribute("errors", std::to_string(counts.errors)) + " time=\"0\"";
}

std::string property(std::string_view name, std::string_view value) {
    return "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string suite(const CombinationRates& combination, const std::vector<Threshold>& thresholds, JunitCounts& total) {
    JunitCounts counts;
    std::string cases;
    for (const Threshold& threshold : thresholds) {
        cases += test_case(combination, threshold, counts);
    }
    total.tests += counts.tests;
    total.failures += counts.failures;
    total.errors += counts.errors;
    return "  <testsuite" + attribute("name", title(combination)) + numbers(counts) + ">\n    <properties>\n" +
           property("framework", combination.framework) + property("model", combination.model) +
           property("arm", combination.arm) + property("simulated", combination.simulated ? "true" : "false") +
           property("judge", combination.judge) +
           property("judge_simulated", combination.judge_simulated ? "true" : "false") + "    </properties>\n" + cases +
           "  </testsuite>\n";
}

class JunitExporter : public Exporter {
  public:
    JunitExporter(OutputFiles& files, std::vector<Threshold> thresholds)
        : sink_(files.open("junit.xml")), thresholds_(std::move(thresholds)) {
        if (thresholds_.empty()) {
            throw InputError("JUnit needs thresholds: name one with --fail-over NAME=PERCENT");
        }
    }

    void add(const JudgedRun& run) override { counter_.add(run); }

    void finish() override {
        const std::vector<CombinationRates> combinations = counter_.rates();
        if (combinations.empty()) {
            throw InputError("there are no runs, so that no threshold can be checked");
        }
        const JunitCounts counts = write_junit(combinations, thresholds_, sink_);
        passed_ = counts.failures + counts.errors == 0;
    }

    [[nodiscard]] bool passed() const override { return passed_; }

  private:
    Sink sink_;
    std::vector<Threshold> thresholds_;
    RateCounter counter_;
    bool passed_ = false;
};

}  // namespace

JunitCounts write_junit(const std::vector<CombinationRates>& combinations, const std::vector<Threshold>& thresholds,
                        const std::function<void(std::string_view)>& sink) {
    JunitCounts counts;
    std::string suites;
    for (const CombinationRates& combination : combinations) {
        suites += suite(combination, thresholds, counts);
    }
    sink("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pasb\"" + numbers(counts) + ">\n" + suites +
         "</testsuites>\n");
    return counts;
}

std::unique_ptr<Exporter> junit_exporter(OutputFiles& files, std::vector<Threshold> thresholds) {
    return std::make_unique<JunitExporter>(files, std::move(thresholds));
}

}  // namespace pasb
