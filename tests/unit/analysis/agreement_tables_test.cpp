// Scores and labels through the tables: worked examples of others, numbers by hand, and what is compared with what.
#include "analysis/agreement_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "model/errors.hpp"
#include "unit/stats/oracles.hpp"

namespace pasb {
namespace {

using Scores = std::optional<std::array<int, answer_metrics>>;

std::string run_name(int run) {
    return "run-" + std::to_string(run);
}

std::string digest_of(int run) {
    return "digest-" + std::to_string(run);
}

RatingCollection runs(int count) {
    RatingCollection ratings;
    for (int run = 0; run < count; ++run) {
        ratings.add_run(run_name(run), digest_of(run), Family::soc, "base-" + std::to_string(run));
    }
    return ratings;
}

Judgement judgement(const std::string& judge, int run, const std::array<Scores, 3>& answers,
                    std::optional<std::array<int, 2>> cross_turn = std::nullopt, int repeat = 1) {
    Judgement made;
    made.run_id = run_name(run);
    made.record_sha256 = digest_of(run);
    made.judge = judge;
    made.simulated = judge.starts_with("sim:");
    made.repeat = repeat;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        made.answers.at(i).scores = answers.at(i);
    }
    made.cross_turn.scores = cross_turn;
    return made;
}

Annotation annotation(const std::string& annotator, int run, Stance stance, Promotion promotion, bool removed,
                      int repeat = 1) {
    Annotation made;
    made.run_id = run_name(run);
    made.record_sha256 = digest_of(run);
    made.annotator = annotator;
    made.simulated = annotator.starts_with("sim:");
    made.repeat = repeat;
    made.stance = stance;
    made.role_upgrade = promotion;
    made.attribution_removed = removed;
    return made;
}

Published paper() {
    Published published;
    published.add("v1", "agreement/within-one-point", 88);
    published.add("v1", "agreement/alpha-ordinal", 0.68);
    return published;
}

std::vector<Table> tables_of(const RatingCollection& ratings, const AgreementPairs& pairs = {}) {
    return agreement_tables(ratings, paper(), pairs);
}

const Table& table_of(const std::vector<Table>& tables, const std::string& id) {
    return *std::find_if(tables.begin(), tables.end(), [&id](const Table& table) { return table.id == id; });
}

std::size_t column_of(const Table& table, const std::string& key) {
    const auto found =
        std::find_if(table.columns.begin(), table.columns.end(), [&key](const Column& c) { return c.key == key; });
    EXPECT_NE(found, table.columns.end()) << key;
    return static_cast<std::size_t>(found - table.columns.begin());
}

// The cell of the n-th pair's (or group's) row about `subject`.
Cell cell(const std::vector<Table>& tables, const std::string& id, const std::string& subject, const std::string& key,
          std::size_t nth = 0) {
    const Table& table = table_of(tables, id);
    const std::size_t what = column_of(table, "subject");
    for (const std::vector<Cell>& row : table.rows) {
        EXPECT_EQ(row.size(), table.columns.size());
        if (std::get<std::string>(row.at(what)) == subject && nth-- == 0) {
            return row.at(column_of(table, key));
        }
    }
    ADD_FAILURE() << "no row about " << subject << " in " << id;
    return {};
}

std::string reason(const Cell& cell) {
    if (const auto* estimate = std::get_if<Estimate>(&cell)) {
        return estimate->reason;
    }
    return std::get<NotAvailable>(cell).reason;
}

std::pair<double, std::size_t> count(const Cell& cell) {
    const auto& estimate = std::get<Estimate>(cell);
    return {estimate.numerator, estimate.denominator};
}

using Count = std::pair<double, std::size_t>;

// The pairs of a table, as "reference | rated".
std::vector<std::string> pairs_in(const std::vector<Table>& tables, const std::string& id) {
    const Table& table = table_of(tables, id);
    std::vector<std::string> pairs;
    for (const std::vector<Cell>& row : table.rows) {
        const std::string pair = std::get<std::string>(row.at(column_of(table, "reference"))) + " | " +
                                 std::get<std::string>(row.at(column_of(table, "rated")));
        if (pairs.empty() || pairs.back() != pair) {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

// A row a rater, three units a run; every metric gets the unit's value. Units past the example's are given by nobody.
RatingCollection published_example(const nlohmann::json& raters, int add) {
    const std::size_t units = raters.at(0).size();
    const int run_count = static_cast<int>((units + 2) / 3);
    RatingCollection ratings = runs(run_count);
    for (std::size_t rater = 0; rater < raters.size(); ++rater) {
        for (int run = 0; run < run_count; ++run) {
            std::array<Scores, 3> answers;
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t unit = static_cast<std::size_t>(run) * 3 + i;
                if (unit < units && !raters.at(rater).at(unit).is_null()) {
                    answers.at(i).emplace().fill(raters.at(rater).at(unit).get<int>() + add);
                }
            }
            ratings.add(judgement("judge-" + std::to_string(rater), run, answers), RaterKind::judge);
        }
    }
    return ratings;
}

TEST(AgreementTables, KrippendorffsExampleOfTwoRaters) {
    const auto tables = tables_of(published_example(oracles().at("alphas")[0].at("raters"), 1));
    EXPECT_NEAR(std::get<double>(cell(tables, "scores", "sycophancy", "alpha_nominal")), 0.095, 0.0005);
    EXPECT_EQ(count(cell(tables, "scores", "leak", "exact")), (Count{6, 10}));
    EXPECT_EQ(std::get<double>(cell(tables, "scores", "leak", "missing")), 2);
    EXPECT_TRUE(table_of(tables, "all-raters").rows.empty()) << "two raters have no alpha of three";
}

TEST(AgreementTables, KrippendorffsExampleOfFourRatersWithMissingValues) {
    const auto tables = tables_of(published_example(oracles().at("alphas")[1].at("raters"), 0));
    EXPECT_NEAR(std::get<double>(cell(tables, "all-raters", "upgrade", "alpha_nominal")), 0.743, 0.0005);
    EXPECT_NEAR(std::get<double>(cell(tables, "all-raters", "upgrade", "alpha_ordinal")), 0.815, 0.0005);
    EXPECT_NEAR(std::get<double>(cell(tables, "all-raters", "upgrade", "alpha_interval")), 0.849, 0.0005);
    EXPECT_EQ(std::get<double>(cell(tables, "all-raters", "upgrade", "units")), 11);
    EXPECT_EQ(std::get<double>(cell(tables, "all-raters", "upgrade", "ratings")), 40);
    EXPECT_EQ(std::get<std::string>(cell(tables, "all-raters", "upgrade", "raters")), "judges");
    EXPECT_EQ(pairs_in(tables, "scores").size(), 6U);
}

// One run of which a person and a judge say all there is to say.
RatingCollection by_hand() {
    RatingCollection ratings = runs(1);
    ratings.add(judgement("ann", 0, {{{{1, 3, 2, 1}}, {{2, 2, 2, 1}}, {{1, 4, 2, 1}}}}, {{3, 1}}), RaterKind::person);
    ratings.add(judgement("sim:lexical", 0, {{{{1, 2, 2, 5}}, {{2, 3, 2, 5}}, {{2, 4, 2, 5}}}}, {{2, 4}}),
                RaterKind::judge);
    return ratings;
}

TEST(AgreementTables, SharesAndAlphasByHand) {
    const auto tables = tables_of(by_hand());
    EXPECT_EQ(count(cell(tables, "scores", "sycophancy", "exact")), (Count{2, 3}));
    EXPECT_EQ(count(cell(tables, "scores", "sycophancy", "within_one")), (Count{3, 3}));
    EXPECT_NEAR(std::get<double>(cell(tables, "scores", "sycophancy", "alpha_nominal")), 1 - 5.0 / 9, tolerance);
    EXPECT_NEAR(std::get<double>(cell(tables, "scores", "amplification", "alpha_ordinal")), 1 - 5.0 / 3, tolerance);
    EXPECT_EQ(reason(cell(tables, "scores", "upgrade", "alpha_ordinal")), "undefined: no variation");
    EXPECT_EQ(count(cell(tables, "scores", "all per-answer metrics", "exact")), (Count{6, 12}));
    EXPECT_EQ(count(cell(tables, "scores", "all per-answer metrics", "within_one")), (Count{9, 12}));
    // 24 scores: 1 six times, 2 eleven, 3 twice, 4 twice, 5 three times; six unequal pairs.
    EXPECT_NEAR(std::get<double>(cell(tables, "scores", "all per-answer metrics", "alpha_nominal")), 1 - 6 * 23.0 / 201,
                tolerance);
    EXPECT_EQ(count(cell(tables, "scores", "persistence", "within_one")), (Count{1, 1}));
    EXPECT_EQ(count(cell(tables, "scores", "escalation", "within_one")), (Count{0, 1}));
}

TEST(AgreementTables, TheConfusionByHand) {
    const auto tables = tables_of(by_hand());
    const auto confusion = [&tables](const std::string& subject) {
        std::vector<double> counts;
        for (const char* key : {"both_fail", "only_reference_fails", "only_rated_fails", "both_pass"}) {
            counts.push_back(std::get<double>(cell(tables, "confusion", subject, key)));
        }
        return counts;
    };
    EXPECT_EQ(confusion("leak"), (std::vector<double>{1, 1, 1, 0})) << "all within one point, and two cross the line";
    EXPECT_EQ(count(cell(tables, "confusion", "leak", "sensitivity")), (Count{1, 2}));
    EXPECT_EQ(count(cell(tables, "confusion", "leak", "specificity")), (Count{0, 1}));
    EXPECT_EQ(confusion("all per-answer metrics"), (std::vector<double>{1, 1, 4, 6}));
    EXPECT_EQ(count(cell(tables, "confusion", "all per-answer metrics", "specificity")), (Count{6, 10}));
    EXPECT_EQ(confusion("persistence"), (std::vector<double>{0, 1, 0, 0}));
    EXPECT_EQ(confusion("escalation"), (std::vector<double>{0, 0, 1, 0}));
    EXPECT_EQ(reason(cell(tables, "confusion", "upgrade", "sensitivity")), "the reference fails no answer");
}

TEST(AgreementTables, ThePapersFigureStandsBesidePersonAndJudgeOverAllMetrics) {
    const auto tables = tables_of(by_hand());
    EXPECT_EQ(std::get<std::string>(cell(tables, "scores", "all per-answer metrics", "paper_within_one")), "88.0 (v1)");
    EXPECT_EQ(std::get<std::string>(cell(tables, "scores", "all per-answer metrics", "paper_alpha")), "0.68 (v1)");
    EXPECT_EQ(reason(cell(tables, "scores", "leak", "paper_alpha")), "no figure in the paper");
    RatingCollection judges = by_hand();
    judges.add(judgement("kimi", 0, {{{{1, 1, 1, 1}}, {}, {}}}), RaterKind::judge);
    const auto filtered = tables_of(judges, {"kimi", "sim:lexical"});
    EXPECT_EQ(reason(cell(filtered, "scores", "all per-answer metrics", "paper_alpha")), "no figure in the paper");
}

TEST(AgreementTables, SimulatedOnesAreNamedInEveryRow) {
    const auto tables = tables_of(by_hand());
    for (const char* id : {"scores", "confusion"}) {
        const Table& table = table_of(tables, id);
        ASSERT_EQ(table.rows.size(), 7U);
        for (const std::vector<Cell>& row : table.rows) {
            EXPECT_EQ(std::get<std::string>(row.at(column_of(table, "rated"))), "sim:lexical (simulated judge)");
            EXPECT_EQ(std::get<std::string>(row.at(column_of(table, "simulated"))), "sim:lexical");
        }
    }
}

TEST(AgreementTables, WhatIsNotGivenIsMissingAndCountsNowhere) {
    RatingCollection ratings = runs(2);
    ratings.add(judgement("ann", 0, {{{{3, 3, 3, 3}}, {}, {}}}), RaterKind::person);
    for (int run = 0; run < 2; ++run) {
        ratings.add(judgement("kimi", run, {{{{3, 3, 3, 4}}, {{1, 1, 1, 1}}, {}}}, {{1, 1}}), RaterKind::judge);
    }
    const auto tables = tables_of(ratings);
    EXPECT_EQ(std::get<double>(cell(tables, "scores", "sycophancy", "runs")), 1) << "the other run has no person";
    EXPECT_EQ(std::get<double>(cell(tables, "scores", "sycophancy", "missing")), 2);
    EXPECT_EQ(std::get<double>(cell(tables, "scores", "all per-answer metrics", "missing")), 8);
    EXPECT_EQ(count(cell(tables, "scores", "all per-answer metrics", "exact")), (Count{3, 4}));
    EXPECT_EQ(reason(cell(tables, "scores", "persistence", "exact")), "no answer with both scores");
    EXPECT_EQ(reason(cell(tables, "scores", "persistence", "alpha_ordinal")),
              "undefined: fewer than two ratings on every unit");
}

TEST(AgreementTables, OnlyResultsOfTheSameRecordAreCompared) {
    RatingCollection ratings = runs(1);
    ratings.add(judgement("kimi", 0, {{{{1, 1, 1, 1}}, {}, {}}}), RaterKind::judge);
    Judgement stale = judgement("ann", 0, {{{{1, 1, 1, 1}}, {}, {}}});
    stale.record_sha256 = "another";
    ratings.add(stale, RaterKind::person);
    ratings.add(judgement("ann", 7, {{{{1, 1, 1, 1}}, {}, {}}}), RaterKind::person);
    EXPECT_EQ(ratings.stale(), 1U);
    EXPECT_EQ(ratings.stray(), 1U);
    for (const Table& table : tables_of(ratings)) {
        EXPECT_TRUE(table.rows.empty()) << table.id;
    }
    EXPECT_THROW(ratings.add_run(run_name(0), "x", Family::soc, "b"), InputError);
}

TEST(AgreementTables, OfSeveralResultsTheLastCounts) {
    RatingCollection ratings = by_hand();
    ratings.add(judgement("ann", 0, {{{{1, 2, 2, 5}}, {{2, 3, 2, 5}}, {{2, 4, 2, 5}}}}), RaterKind::person);
    EXPECT_EQ(count(cell(tables_of(ratings), "scores", "all per-answer metrics", "exact")), (Count{12, 12}));
}

TEST(AgreementTables, AJudgesRepeatsAreComparedWithItsFirst) {
    RatingCollection ratings = runs(1);
    for (int repeat = 1; repeat <= 3; ++repeat) {
        ratings.add(judgement("kimi", 0, {{{{repeat, 1, 1, 1}}, {{2, 1, 1, 1}}, {}}}, {{1, 1}}, repeat),
                    RaterKind::judge);
    }
    ratings.add(judgement("other", 0, {{{{1, 1, 1, 1}}, {}, {}}}), RaterKind::judge);
    const auto tables = tables_of(ratings);
    EXPECT_EQ(pairs_in(tables, "scores"),
              (std::vector<std::string>{"kimi (judge) | other (judge)", "kimi (judge) | kimi (judge), repeat 2",
                                        "kimi (judge) | kimi (judge), repeat 3"}));
    EXPECT_EQ(std::get<std::string>(cell(tables, "scores", "sycophancy", "comparison", 0)), "two judges");
    EXPECT_EQ(std::get<std::string>(cell(tables, "scores", "sycophancy", "comparison", 2)), "judge, repeated");
    EXPECT_EQ(count(cell(tables, "scores", "sycophancy", "within_one", 1)), (Count{2, 2}));
    EXPECT_EQ(count(cell(tables, "scores", "sycophancy", "within_one", 2)), (Count{1, 2}));
    EXPECT_EQ(std::get<std::string>(cell(tables, "all-raters", "sycophancy", "raters")), "judge, repeated");
    EXPECT_EQ(std::get<double>(cell(tables, "all-raters", "sycophancy", "ratings")), 6);
    EXPECT_EQ(pairs_in(tables_of(ratings, {"kimi", "kimi"}), "scores").size(), 2U) << "test and retest alone";
}

TEST(AgreementTables, WhoIsTheReference) {
    RatingCollection ratings = runs(1);
    const std::array<Scores, 3> some{{{{1, 1, 1, 1}}, {}, {}}};
    ratings.add(judgement("zoe", 0, some), RaterKind::person);
    ratings.add(judgement("abe", 0, some), RaterKind::person);
    Judgement simulated = judgement("a-judge", 0, some);
    simulated.simulated = true;
    ratings.add(simulated, RaterKind::judge);
    ratings.add(judgement("kimi", 0, some), RaterKind::judge);
    EXPECT_EQ(pairs_in(tables_of(ratings), "scores"),
              (std::vector<std::string>{"abe (person) | zoe (person)", "abe (person) | kimi (judge)",
                                        "abe (person) | a-judge (simulated judge)", "zoe (person) | kimi (judge)",
                                        "zoe (person) | a-judge (simulated judge)",
                                        "kimi (judge) | a-judge (simulated judge)"}));
    EXPECT_EQ(pairs_in(tables_of(ratings, {"kimi", ""}), "scores"),
              (std::vector<std::string>{"kimi (judge) | abe (person)", "kimi (judge) | zoe (person)",
                                        "kimi (judge) | a-judge (simulated judge)"}));
    EXPECT_EQ(pairs_in(tables_of(ratings, {"zoe", "kimi"}), "scores"),
              (std::vector<std::string>{"zoe (person) | kimi (judge)"}));
    try {
        tables_of(ratings, {"", "nobody"});
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("'nobody'"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("a-judge, abe, kimi, zoe"), std::string::npos) << error.what();
    }
}

TEST(AgreementTables, PeopleAndJudgesHaveOneAlphaTogether) {
    RatingCollection ratings = by_hand();
    ratings.add(judgement("bob", 0, {{{{1, 3, 2, 1}}, {{2, 2, 2, 1}}, {{1, 4, 2, 1}}}}), RaterKind::person);
    const auto tables = tables_of(ratings);
    EXPECT_EQ(std::get<std::string>(cell(tables, "all-raters", "sycophancy", "raters")), "people and judges");
    EXPECT_EQ(std::get<std::string>(cell(tables, "all-raters", "sycophancy", "names")),
              "ann (person); bob (person); sim:lexical (simulated judge)");
    // 1 1 1, 2 2 2, 1 1 2: one unit with two unequal of three pairs; 1 five times, 2 four times.
    EXPECT_NEAR(std::get<double>(cell(tables, "all-raters", "sycophancy", "alpha_nominal")), 1 - 1 / (20.0 / 8),
                tolerance);
}

TEST(AgreementTables, LabelsByHand) {
    RatingCollection ratings = runs(4);
    ratings.add(annotation("ann", 0, Stance::agree, Promotion::none, false));
    ratings.add(annotation("ann", 1, Stance::agree, Promotion::none, false));
    ratings.add(annotation("ann", 2, Stance::comply, Promotion::fact, true));
    ratings.add(annotation("ann", 3, Stance::comply, Promotion::fact, true));
    ratings.add(annotation("sim:lexical", 0, Stance::agree, Promotion::none, false));
    ratings.add(annotation("sim:lexical", 1, Stance::comply, Promotion::preference, false));
    ratings.add(annotation("sim:lexical", 2, Stance::comply, Promotion::fact, false));
    Annotation unlabelled = annotation("sim:lexical", 3, Stance::comply, Promotion::fact, true);
    unlabelled.unlabelled = "no_json";
    ratings.add(unlabelled);
    ratings.add(annotation("ann", 0, Stance::agree, Promotion::none, true, 2));
    const auto tables = tables_of(ratings);
    EXPECT_EQ(pairs_in(tables, "labels"),
              (std::vector<std::string>{"ann (annotator) | sim:lexical (simulated annotator)",
                                        "ann (annotator) | ann (annotator), repeat 2"}));
    EXPECT_EQ(std::get<double>(cell(tables, "labels", "stance", "missing")), 1);
    EXPECT_EQ(count(cell(tables, "labels", "stance", "equal")), (Count{2, 3}));
    EXPECT_NEAR(std::get<double>(cell(tables, "labels", "stance", "alpha_nominal")), 1 - 5.0 / 9, tolerance);
    EXPECT_NEAR(std::get<double>(cell(tables, "labels", "stance", "alpha_ordinal")), 1 - 5.0 / 9, tolerance);
    // none none, none preference, fact fact: three, one and two of six.
    EXPECT_NEAR(std::get<double>(cell(tables, "labels", "role_upgrade", "alpha_nominal")), 1 - 1 / (11.0 / 5),
                tolerance);
    // Squared distances: none to preference 2, to fact 3.5, preference to fact 1.5.
    EXPECT_NEAR(std::get<double>(cell(tables, "labels", "role_upgrade", "alpha_ordinal")),
                1 - 4 / ((3 * 4 + 6 * 12.25 + 2 * 2.25) / 5), tolerance);
    EXPECT_EQ(count(cell(tables, "labels", "attribution_removed", "equal")), (Count{2, 3}));
    EXPECT_EQ(reason(cell(tables, "labels", "attribution_removed", "alpha_ordinal")), "its values have no order");
    EXPECT_EQ(count(cell(tables, "labels", "attribution_removed", "equal", 1)), (Count{0, 1}));
    EXPECT_EQ(reason(cell(tables, "labels", "stance", "alpha_nominal", 1)), "undefined: no variation");
    EXPECT_TRUE(table_of(tables, "scores").rows.empty());
}

TEST(AgreementTables, SharesAreClusteredByBaseItem) {
    RatingCollection ratings;
    for (int run = 0; run < 4; ++run) {
        ratings.add_run(run_name(run), digest_of(run), run < 2 ? Family::soc : Family::prf, run % 2 == 0 ? "a" : "b");
        ratings.add(judgement("ann", run, {{{{1, 1, 1, 1}}, {}, {}}}), RaterKind::person);
        ratings.add(judgement("kimi", run, {{{{run + 1, 1, 1, 1}}, {}, {}}}), RaterKind::judge);
    }
    const Cell share = cell(tables_of(ratings), "scores", "sycophancy", "within_one");
    EXPECT_EQ(count(share), (Count{2, 4}));
    EXPECT_EQ(std::get<Estimate>(share).clusters, 4U) << "a base item's name is its family's own";
}

}  // namespace
}  // namespace pasb
