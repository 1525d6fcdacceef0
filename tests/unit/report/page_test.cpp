#include "report/page.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <regex>

#include "model/bytes.hpp"
#include "report/html.hpp"
#include "report/pack.hpp"
#include "sample_document.hpp"

namespace pasb {
namespace {

using nlohmann::json;

std::string unpacked(const std::string& text) {
    std::string bytes = from_base64(text);
    std::string out(1 << 22, '\0');
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

RunRow row_of(std::size_t i) {
    RunRow row;
    row.run_id = "run-" + std::to_string(i);
    row.claim = hostile_text;
    return row;
}

// The page, and in `largest` the most bytes that were handed over at once.
std::string page_of(std::size_t runs, std::size_t readers, std::size_t* largest = nullptr) {
    std::string html;
    PageWriter page(
        [&](std::string_view part) {
            html += part;
            if (largest != nullptr) {
                *largest = std::max(*largest, part.size());
            }
        },
        "out/a");
    page.begin(sample_document());
    for (std::size_t i = 0; i < runs; ++i) {
        const json story{{"run_id", "run-" + std::to_string(i)}, {"text", hostile_text}};
        page.add_run(row_of(i), i < readers ? &story : nullptr);
    }
    page.finish();
    return html;
}

std::vector<json> blocks(const std::string& html, const std::string& attribute) {
    std::vector<json> found;
    const std::string opening = "<script type=\"application/octet-stream;base64\" " + attribute;
    for (std::size_t at = html.find(opening); at != std::string::npos; at = html.find(opening, at + 1)) {
        const std::size_t begin = html.find('>', at) + 1;
        found.push_back(json::parse(unpacked(html.substr(begin, html.find('<', begin) - begin))));
    }
    return found;
}

TEST(HtmlText, LeavesNoWayOutAndHidesNothing) {
    EXPECT_EQ(html_text("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
    EXPECT_EQ(html_text("\x1b\xE2\x80\xAE\xE2\x80\xA8\xFF"), "\\u{1B}\\u{202E}\\u{2028}\\xFF");
}

TEST(Packed, IsTheSameEveryTimeAndComesBack) {
    EXPECT_EQ(packed("text"), packed("text"));
    EXPECT_EQ(unpacked(packed(hostile_text)), hostile_text);
    EXPECT_EQ(unpacked(packed("")), "");
}

TEST(Page, PutsRunsAndStoriesIntoChunks) {
    const std::string html = page_of(PageWriter::rows_in_chunk + 1, 2 * PageWriter::stories_in_chunk + 1);
    const std::vector<json> rows = blocks(html, "class=\"rows\"");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows.at(0).size(), PageWriter::rows_in_chunk);
    EXPECT_EQ(rows.at(1).size(), 1U);
    const std::vector<json> stories = blocks(html, "id=\"stories-");
    ASSERT_EQ(stories.size(), 3U);
    for (std::size_t i = 0; i < 2 * PageWriter::stories_in_chunk + 1; ++i) {
        const json& row = rows.at(0).at(i);
        const json& story = stories.at(row.at(row.size() - 2)).at(row.back().get<std::size_t>());
        ASSERT_EQ(story.at("run_id"), row.at(0));
    }
    EXPECT_EQ(rows.at(1).at(0).back(), -1);
}

TEST(Page, SaysHowManyRunsHaveAReaderAndHowToSeeTheOthers) {
    const std::string html = page_of(3, 1);
    EXPECT_NE(html.find("Readers for 1 of 3 runs."), std::string::npos);
    EXPECT_NE(html.find("pasb show --out out/a RUN"), std::string::npos);
    EXPECT_NE(page_of(0, 0).find("Readers for 0 of 0 runs."), std::string::npos);
}

TEST(Page, HandsOverNoMoreThanAChunkAtOnce) {
    std::size_t largest = 0;
    const std::string html = page_of(10000, 2000, &largest);
    EXPECT_GT(html.size(), 2 * largest);
    EXPECT_LT(largest, 200000U);
}

TEST(Page, RunsNothingButItsOwnScriptAndAsksForNothing) {
    const std::string html = page_of(2, 2);
    EXPECT_NE(html.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
    EXPECT_FALSE(std::regex_search(html, std::regex("(src|href)=\"(https?:)?//")));
    EXPECT_EQ(html.find("<b onload"), std::string::npos);
    EXPECT_EQ(html.find('\x1b'), std::string::npos);
    std::size_t closing = 0;
    for (std::size_t at = html.find("</script"); at != std::string::npos; at = html.find("</script", at + 1)) {
        ++closing;
    }
    EXPECT_EQ(closing, 3U);  // rows, stories, the page's own
}

TEST(Page, HasBannerTablesAndReasonsWithoutAScript) {
    const std::string html = page_of(0, 0);
    EXPECT_NE(html.find("class=\"banner\""), std::string::npos);
    EXPECT_NE(html.find("model sim:adopter"), std::string::npos);
    EXPECT_NE(html.find("<b>33.3 %</b>"), std::string::npos);
    EXPECT_NE(html.find("<small>no runs</small>"), std::string::npos);
    EXPECT_NE(html.find("<noscript>"), std::string::npos);
}

}  // namespace
}  // namespace pasb
