#include "exports/junit.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"
#include "unit/exports/run_builder.hpp"

namespace pasb {
namespace {

std::string junit(const CombinationRates& rates, const std::vector<Threshold>& thresholds, JunitCounts& counts) {
    std::string xml;
    counts = write_junit({rates}, thresholds, [&xml](std::string_view bytes) { xml += bytes; });
    return xml;
}

CombinationRates rates_of(std::map<std::string, Rate> rates) {
    CombinationRates combination{"hermes", "m"};
    combination.rates = std::move(rates);
    return combination;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Junit, PassesAtTheThresholdAndFailsAboveIt) {
    JunitCounts counts;
    const CombinationRates rates = rates_of({{"df", {0.3, 1, ""}}});
    const std::string xml = junit(rates, {{"df", 30}, {"df", 29.9}}, counts);
    EXPECT_EQ(counts.tests, 2U);
    EXPECT_EQ(counts.failures, 1U);
    EXPECT_TRUE(holds(xml, "message=\"df: measured 30.00 % (0.3 of 1 runs), at most 29.9 %\"")) << xml;
}

TEST(Junit, NeverPassesWithoutARate) {
    JunitCounts counts;
    const std::string xml = junit(rates_of({{"leak", {0, 0, "no valid run"}}}), {{"leak", 100}, {"gap", 100}}, counts);
    EXPECT_EQ(counts.errors, 2U);
    EXPECT_TRUE(holds(xml, "leak: n/a, no valid run; no pass")) << xml;
}

TEST(Junit, TakesTheGapFromSavedAndSessionOnly) {
    JunitCounts counts;
    const CombinationRates rates = rates_of({{"df-saved", {2, 4, ""}}, {"df-session-only", {1, 4, ""}}});
    const std::string xml = junit(rates, {{"gap", 20}}, counts);
    EXPECT_EQ(counts.failures, 1U);
    EXPECT_TRUE(holds(xml, "25.00 points (saved 50.00 % (2 of 4 runs)")) << xml;
}

TEST(Junit, IsXmlWhateverTheNamesHold) {
    JunitCounts counts;
    CombinationRates rates = rates_of({});
    rates.model = std::string("\0\x1b<a b=\"'\">&\n\xff\xEF\xBF\xBF\xE2\x80\xAE", 21);
    const std::string xml = junit(rates, {{"df", 1}}, counts);
    EXPECT_TRUE(holds(xml, "\\u{0}\\u{1B}&lt;a b=&quot;'&quot;&gt;&amp;&#10;\\xFF\xEF\xBF\xBD\\u{202E}")) << xml;
}

TEST(Junit, NeedsThresholdsAndRuns) {
    test::MemoryFiles files;
    EXPECT_THROW(junit_exporter(files, {}), InputError);
    const auto exporter = junit_exporter(files, {{"df", 100}});
    EXPECT_THROW(exporter->finish(), InputError);
    EXPECT_FALSE(exporter->passed());
    exporter->add(test::judged_run());
    exporter->finish();
    EXPECT_TRUE(exporter->passed());
}

}  // namespace
}  // namespace pasb
