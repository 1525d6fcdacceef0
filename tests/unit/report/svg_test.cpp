#include "report/svg.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "report/axis.hpp"
#include "report/html.hpp"
#include "report/svg_parts.hpp"
#include "sample_document.hpp"

namespace pasb {
namespace {

const std::vector<FigureKind> kinds{FigureKind::grouped_bars, FigureKind::stacked_bars, FigureKind::dots,
                                    FigureKind::scatter, FigureKind::lines};

// Elements nest, attributes are quoted, and no character stands bare that XML does not allow.
void expect_well_formed(const std::string& xml) {
    const std::regex tag("<(/?)([a-zA-Z]+)((?: [a-zA-Z:-]+=\"[^\"<>]*\")*)(/?)>");
    std::vector<std::string> open;
    auto at = xml.cbegin();
    for (std::sregex_iterator it(xml.begin(), xml.end(), tag), end; it != end; ++it) {
        const std::string between(at, (*it)[0].first);
        EXPECT_EQ(between.find_first_of("<>"), std::string::npos) << between;
        at = (*it)[0].second;
        if ((*it)[1].length() > 0) {
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(open.back(), (*it)[2]);
            open.pop_back();
        } else if ((*it)[4].length() == 0) {
            open.push_back((*it)[2]);
        }
    }
    EXPECT_TRUE(open.empty());
    EXPECT_FALSE(std::regex_search(xml, std::regex("&(?!(amp|lt|gt|quot|#39);)")));
}

double attribute_of(const std::string& element, const std::string& name) {
    std::smatch found;
    const std::regex pattern(" " + name + "=\"([-0-9.]+)\"");
    return std::regex_search(element, found, pattern) ? std::stod(found[1]) : -1;
}

std::string after(const std::string& text, const std::string& title) {
    return text.substr(text.find("<title>" + html_text(title)));
}

TEST(Axis, PutsAValueWhereItBelongs) {
    const Axis axis = axis_for(0, 0.83, Unit::share, 100, 600);
    EXPECT_DOUBLE_EQ(axis.high, 1);
    EXPECT_DOUBLE_EQ(axis.at(0), 100);
    EXPECT_DOUBLE_EQ(axis.at(0.5), 350);
    EXPECT_EQ(axis.ticks().size(), 6U);
    EXPECT_EQ(tick_text(0.2, axis, Unit::share), "20 %");
}

TEST(Axis, HasZeroOnItForDifferencesAndBeginsAtOneForScores) {
    const Axis difference = axis_for(0.03, 0.21, Unit::difference, 0, 1);
    EXPECT_LE(difference.low, 0);
    EXPECT_EQ(tick_text(0.1, difference, Unit::difference), "+10 pp");
    const Axis score = axis_for(2.5, 4.4, Unit::score, 0, 1);
    EXPECT_DOUBLE_EQ(score.low, 1);
    EXPECT_LE(score.high, 5);
}

TEST(Axis, CopesWithASingleValueAndWithNone) {
    for (const Unit unit : {Unit::share, Unit::difference, Unit::count, Unit::score}) {
        const Axis axis = axis_for(0, 0, unit, 0, 1);
        EXPECT_GT(axis.high, axis.low);
        EXPECT_GE(axis.ticks().size(), 2U);
        EXPECT_LE(axis.ticks().size(), 12U);
    }
}

TEST(FigureSvg, IsWellFormedWithHostileTextInIt) {
    for (const FigureKind kind : kinds) {
        SCOPED_TRACE(to_string(kind));
        expect_well_formed(figure_svg(sample_figure(kind)));
    }
}

TEST(FigureSvg, SaysWhyAValueIsMissing) {
    for (const FigureKind kind : kinds) {
        EXPECT_NE(figure_svg(sample_figure(kind)).find("n/a: nothing was judged"), std::string::npos)
            << to_string(kind);
    }
}

TEST(FigureSvg, DrawsABarFromZeroToItsValue) {
    const std::string svg = figure_svg(sample_figure(FigureKind::grouped_bars));
    const std::string half = after(svg, "first, one");
    const std::string whole = after(svg, hostile_text + ", one");
    EXPECT_DOUBLE_EQ(attribute_of(half, "x"), attribute_of(whole, "x"));
    EXPECT_NEAR(attribute_of(half, "width") * 2, attribute_of(whole, "width"), 0.2);
}

TEST(FigureSvg, StacksPiecesEndToEnd) {
    const std::string svg = figure_svg(sample_figure(FigureKind::stacked_bars));
    const std::string one = after(svg, "first, one");
    const std::string two = after(svg, "first, two");
    EXPECT_NEAR(attribute_of(one, "x") + attribute_of(one, "width"), attribute_of(two, "x"), 0.2);
    EXPECT_NEAR(attribute_of(one, "width"), attribute_of(two, "width") * 2, 0.3);
}

TEST(FigureSvg, PutsAScatterDotAtBothOfItsValues) {
    Figure figure = sample_figure(FigureKind::scatter);
    figure.series = {{"", {{"a", 0.0, 0.0, {}, "", ""}, {"b", 0.5, 0.5, {}, "", ""}, {"c", 1.0, 1.0, {}, "", ""}}}};
    const std::string svg = figure_svg(figure);
    const auto dot = [&](const std::string& name) { return after(svg, name + ":"); };
    EXPECT_NEAR(attribute_of(dot("a"), "cx") + attribute_of(dot("c"), "cx"), 2 * attribute_of(dot("b"), "cx"), 0.2);
    EXPECT_NEAR(attribute_of(dot("a"), "cy") + attribute_of(dot("c"), "cy"), 2 * attribute_of(dot("b"), "cy"), 0.2);
    EXPECT_GT(attribute_of(dot("a"), "cy"), attribute_of(dot("c"), "cy")) << "greater values stand higher";
}

TEST(FigureSvg, BreaksALineWhereAValueIsMissing) {
    Figure figure = sample_figure(FigureKind::lines);
    figure.series = {{"", {{"a", {}, 0.1, {}, "", ""}, {"b", {}, {}, {}, "none", ""}, {"c", {}, 0.3, {}, "", ""}}}};
    std::smatch found;
    const std::string svg = figure_svg(figure);
    ASSERT_TRUE(std::regex_search(svg, found, std::regex("class=\"line s0\" d=\"(M[^ML]*M[^ML]*)\"")));
}

TEST(FigureSvg, HasRoomForThirtyTwoCombinations) {
    Figure figure = sample_figure(FigureKind::dots);
    figure.series.front().points.clear();
    for (int i = 0; i < 32; ++i) {
        figure.series.front().points.push_back({"combination " + std::to_string(i), {}, 0.5, {}, "", ""});
    }
    const std::string svg = figure_svg(figure);
    EXPECT_NE(svg.find("combination 31"), std::string::npos);
    expect_well_formed(svg);
}

TEST(FigureSvg, DrawsAFigureWithoutPoints) {
    for (const FigureKind kind : kinds) {
        Figure figure = sample_figure(kind);
        figure.series.clear();
        expect_well_formed(figure_svg(figure));
    }
}

TEST(Fitted, CutsAtACharacter) {
    EXPECT_EQ(svg::fitted("short", 100), "short");
    EXPECT_EQ(svg::fitted("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 24), "\xC3\xA4\xC3\xA4\xC3\xA4\xE2\x80\xA6");
}

}  // namespace
}  // namespace pasb
