// The document as CSV, Markdown and JSON.
#include <gtest/gtest.h>

#include "model/errors.hpp"
#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "sample_document.hpp"

namespace pasb {
namespace {

using nlohmann::json;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Csv, SpreadsAnEstimateOverTheColumnsThatAnyRowHas) {
    const std::string csv = table_csv(sample_table());
    EXPECT_EQ(csv.substr(0, csv.find('\r')),
              "name,rate,rate_numerator,rate_denominator,rate_clusters,rate_wilson_low,rate_wilson_high,"
              "rate_bootstrap_low,rate_bootstrap_high,rate_p,rate_reason,n,n_reason");
    EXPECT_TRUE(has(csv, ",0.3333333333333333,16.25,48,12,0.2,0.5,0.1,0.6,0.04,,1600,\r\n"));
    EXPECT_TRUE(has(csv, ",,0,0,0,,,,,,no runs,,not judged\r\n"));
}

TEST(Csv, QuotesAndDisarmsText) {
    const std::string csv = table_csv(sample_table());
    EXPECT_TRUE(has(csv, "\r\n'=SUM(A1),"));
    EXPECT_TRUE(has(csv, "\r\n\"a, \"\"b\"\"\",0.5,"));
    EXPECT_TRUE(has(csv, ",-3,\r\n")) << "a negative number is no formula";
    EXPECT_FALSE(has(csv, "\x1b"));
}

TEST(Csv, KeepsTheHeadOfATableWithoutRows) {
    Table table = sample_table();
    table.rows.clear();
    EXPECT_EQ(table_csv(table), "name,rate,n\r\n");
}

TEST(Markdown, MakesHostileTextInert) {
    const std::string text = markdown_text(hostile_text);
    EXPECT_EQ(text.find_first_of("<>\n\x1b"), std::string::npos);
    EXPECT_TRUE(has(text, "\\|"));
    EXPECT_TRUE(has(text, "\\\\u{1B}"));
}

TEST(Markdown, StartsWithTheBannerAndHoldsTablesAndFigures) {
    const std::string text = document_markdown(sample_document());
    EXPECT_LT(text.find("**Simulated.**"), text.find("## "));
    EXPECT_TRUE(has(text, "33.3 % (16.25 of 48) [10.0 to 60.0 %]"));
    EXPECT_TRUE(has(text, "n/a (no runs)"));
    EXPECT_TRUE(has(text, "n/a (nothing was judged)"));
    EXPECT_FALSE(has(text, "<b"));
    Document real = sample_document();
    real.simulated = false;
    EXPECT_FALSE(has(document_markdown(real), "**Simulated.**"));
}

TEST(Markdown, GivesEveryLineOfATableAsManyCells) {
    Document document = sample_document();
    document.figures.clear();
    const std::string text = document_markdown(document);
    const std::size_t begin = text.find("| Name");
    std::size_t bars = 0;
    for (std::size_t at = begin; at < text.find("\n\n", begin); ++at) {
        bars += text.at(at) == '|' && text.at(at - 1) != '\\' ? 1U : 0U;
    }
    EXPECT_EQ(bars, 5U * 4U) << text;
}

TEST(ReportJson, ComesBackAsItWasWritten) {
    const json written = to_json(sample_document());
    EXPECT_EQ(to_json(document_from_json(written)), written);
    const json read = json::parse(document_json(sample_document()));
    EXPECT_EQ(read, written);
    EXPECT_EQ(read.at("tables").at(0).at("rows").at(0).at(1).at("value").get<double>(), 1.0 / 3);
}

TEST(ReportJson, SaysWhatIsWrong) {
    const auto refused = [](const json& value, const std::string& why) {
        try {
            document_from_json(value);
            ADD_FAILURE() << "accepted: " << why;
        } catch (const InputError& error) {
            EXPECT_TRUE(has(error.what(), why)) << error.what();
        }
    };
    refused(json{{"schema", "pasb.record/1"}}, "pasb.report/1");
    json value = to_json(sample_document());
    value.erase("warnings");
    refused(value, "warnings");
    value = to_json(sample_document());
    value["tables"][0]["columns"][0]["unit"] = "furlong";
    refused(value, "furlong");
    value = to_json(sample_document());
    value["tables"][0]["rows"][0].erase(0);
    refused(value, "rates");
}

TEST(ReportJson, TurnsANumberThatJsonDoesNotHaveIntoAMissingOne) {
    Document document = sample_document();
    document.tables.front().rows.front().at(2) = INFINITY;
    const Document read = document_from_json(json::parse(document_json(document)));
    EXPECT_EQ(std::get<NotAvailable>(read.tables.front().rows.front().at(2)).reason, "not a finite number");
}

}  // namespace
}  // namespace pasb
