#include "report/text_form.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pasb {
namespace {

TEST(ValueText, PrintsEachUnitAsPeopleWriteIt) {
    EXPECT_EQ(value_text(0.4234, Unit::share), "42.3 %");
    EXPECT_EQ(value_text(0.124, Unit::difference), "+12.4 pp");
    EXPECT_EQ(value_text(-0.031, Unit::difference), "-3.1 pp");
    EXPECT_EQ(value_text(51200, Unit::count), "51,200");
    EXPECT_EQ(value_text(1234567, Unit::count), "1,234,567");
    EXPECT_EQ(value_text(999, Unit::count), "999");
    EXPECT_EQ(value_text(12.25, Unit::count), "12.25");
    EXPECT_EQ(value_text(3.254, Unit::score), "3.25");
    EXPECT_EQ(value_text(23.44, Unit::seconds), "23.4 s");
    EXPECT_EQ(value_text(512, Unit::bytes), "512 B");
    EXPECT_EQ(value_text(1234567, Unit::bytes), "1.2 MB");
    EXPECT_EQ(value_text(0.0031, Unit::p_value), "0.003");
    EXPECT_EQ(value_text(0.00005, Unit::p_value), "< 0.001");
    EXPECT_EQ(value_text(0.6849, Unit::coefficient), "0.685");
    EXPECT_EQ(value_text(-0.25, Unit::coefficient), "-0.250");
}

TEST(ValueText, ShowsNoSignThatTheDigitsDoNotHave) {
    EXPECT_EQ(value_text(-0.0001, Unit::difference), "0.0 pp");
    EXPECT_EQ(value_text(0, Unit::difference), "0.0 pp");
    EXPECT_EQ(value_text(-0.0, Unit::share), "0.0 %");
}

TEST(ValueText, NeverPrintsWhatIsNoNumber) {
    EXPECT_EQ(value_text(std::nan(""), Unit::share), "n/a (not a finite number)");
    EXPECT_EQ(exact_text(INFINITY), "");
}

TEST(CellText, GivesAnEstimateWithCountAndInterval) {
    Estimate estimate;
    estimate.value = 0.25;
    estimate.numerator = 12;
    estimate.denominator = 48;
    estimate.wilson.interval = Interval{0.149, 0.388};
    EXPECT_EQ(cell_text(estimate, Unit::share), "25.0 % (12 of 48) [14.9 to 38.8 %]");
    estimate.bootstrap.interval = Interval{0.1, 0.4};
    EXPECT_EQ(cell_text(estimate, Unit::share), "25.0 % (12 of 48) [10.0 to 40.0 %]");
    EXPECT_EQ(cell_text(estimate, Unit::difference), "+25.0 pp (n = 48) [+10.0 to +40.0 pp]");
}

TEST(CellText, GivesTheReasonWhereThereIsNoNumber) {
    Estimate estimate;
    estimate.reason = "no runs";
    EXPECT_EQ(cell_text(estimate, Unit::share), "n/a (no runs)");
    EXPECT_EQ(cell_text(NotAvailable{"not judged"}, Unit::count), "n/a (not judged)");
    EXPECT_EQ(cell_text("text", Unit::text), "text");
}

TEST(EstimateLines, NameEveryIntervalOrWhyThereIsNone) {
    Estimate estimate;
    estimate.value = 0.5;
    estimate.numerator = 1;
    estimate.denominator = 2;
    estimate.clusters = 1;
    estimate.wilson.interval = Interval{0.1, 0.9};
    estimate.cluster_robust.reason = "one base item only";
    estimate.p_value = 0.5;
    EXPECT_EQ(estimate_lines(estimate, Unit::share),
              (std::vector<std::string>{"1 of 2, 1 base item", "95 % Wilson: 10.0 to 90.0 %",
                                        "95 % clustered by base item: n/a (one base item only)", "p = 0.500"}));
}

TEST(ExactText, ReadsBackAsTheSameNumber) {
    EXPECT_EQ(exact_text(0.1), "0.1");
    EXPECT_EQ(exact_text(48), "48");
    EXPECT_EQ(std::stod(exact_text(1.0 / 3)), 1.0 / 3);
}

}  // namespace
}  // namespace pasb
