#include "stats/krippendorff.hpp"

#include "unit/stats/oracles.hpp"

namespace pasb {
namespace {

// The oracles, like Krippendorff's tables, have a row a rater.
std::vector<Ratings> units_of(const nlohmann::json& raters) {
    std::vector<Ratings> units(raters.at(0).size());
    for (const auto& rater : raters) {
        for (std::size_t unit = 0; unit < units.size(); ++unit) {
            const auto& rating = rater.at(unit);
            units[unit].push_back(rating.is_null() ? std::nullopt : std::optional<int>(rating.get<int>()));
        }
    }
    return units;
}

double alpha_of(const std::vector<Ratings>& units, Scale scale) {
    return krippendorff_alpha(units, scale).value.value();
}

TEST(KrippendorffAlpha, IsThePythonPackages) {
    ASSERT_EQ(oracles().at("alphas").size(), 4U);
    for (const auto& expected : oracles().at("alphas")) {
        const std::vector<Ratings> units = units_of(expected.at("raters"));
        EXPECT_NEAR(alpha_of(units, Scale::nominal), expected.at("nominal"), tolerance);
        EXPECT_NEAR(alpha_of(units, Scale::ordinal), expected.at("ordinal"), tolerance);
        EXPECT_NEAR(alpha_of(units, Scale::interval), expected.at("interval"), tolerance);
    }
}

TEST(KrippendorffAlpha, IsWhatKrippendorffPublished) {
    EXPECT_NEAR(alpha_of(units_of(oracles().at("alphas")[0].at("raters")), Scale::nominal), 0.095, 0.0005);
    const std::vector<Ratings> units = units_of(oracles().at("alphas")[1].at("raters"));
    EXPECT_NEAR(alpha_of(units, Scale::nominal), 0.743, 0.0005);
    EXPECT_NEAR(alpha_of(units, Scale::ordinal), 0.815, 0.0005);
    EXPECT_NEAR(alpha_of(units, Scale::interval), 0.849, 0.0005);
    // The last unit has one rating: 11 units and 40 ratings remain.
    EXPECT_EQ(krippendorff_alpha(units, Scale::nominal).units, 11U);
    EXPECT_EQ(krippendorff_alpha(units, Scale::nominal).ratings, 40U);
}

TEST(KrippendorffAlpha, ByHand) {
    // Two raters, (1, 1), (2, 2), (1, 2): one pair of six ratings apart, each value three times.
    // Observed 1, expected 3 * 3 / 5; alpha 1 - 5 / 9.
    const std::vector<Ratings> units{{1, 1}, {2, 2}, {1, 2}};
    for (const Scale scale : {Scale::nominal, Scale::ordinal, Scale::interval}) {
        EXPECT_NEAR(alpha_of(units, scale), 4.0 / 9, tolerance);
    }
    EXPECT_EQ(alpha_of({{1, 1}, {5, 5, 5}}, Scale::ordinal), 1);
    EXPECT_LT(alpha_of({{1, 5}, {5, 1}, {1, 5}}, Scale::interval), 0);
}

TEST(KrippendorffAlpha, NeedsTwoRatingsOfAUnit) {
    const Alpha none = krippendorff_alpha({{1, std::nullopt}, {std::nullopt, 2}, {}}, Scale::ordinal);
    EXPECT_FALSE(none.value);
    EXPECT_EQ(none.reason, "fewer than two ratings on every unit");
    EXPECT_EQ(none.units, 0U);
    EXPECT_EQ(krippendorff_alpha({}, Scale::nominal).reason, "fewer than two ratings on every unit");
}

TEST(KrippendorffAlpha, NeedsVariation) {
    // The 5 stands alone on its unit and does not count.
    const Alpha same = krippendorff_alpha({{3, 3}, {3, 3}, {5, std::nullopt}}, Scale::interval);
    EXPECT_FALSE(same.value);
    EXPECT_EQ(same.reason, "no variation");
    EXPECT_EQ(same.units, 2U);
    EXPECT_EQ(same.ratings, 4U);
}

}  // namespace
}  // namespace pasb
