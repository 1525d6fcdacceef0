#include "evidence/text_spans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pasb {
namespace {

using Spans = std::vector<WordSpan>;

TEST(UnescapeJson, UndoesOneLayer) {
    EXPECT_EQ(unescape_json(R"(a\nb\t\"c\"\\n\/)"), "a\nb\t\"c\"\\n/");
    EXPECT_EQ(unescape_json(R"(caf\u00e9 \u4f60 \ud83d\ude00)"), "caf\xc3\xa9 \xe4\xbd\xa0 \xf0\x9f\x98\x80");
    EXPECT_EQ(unescape_json(R"(\ud83d x \ude00 \u12 \q)"), R"(\ud83d x \ude00 \u12 \q)") << "what is no escape stays";
    EXPECT_EQ(unescape_json("end\\"), "end\\");
}

TEST(Readings, OnePerLayer) {
    EXPECT_EQ(readings("plain").size(), 1U);
    EXPECT_EQ(readings(R"(a\nb)").size(), 2U);
    EXPECT_EQ(readings(R"(a\\nb)").back(), "a\nb");
    EXPECT_EQ(readings(R"(C:\dir)").size(), 1U);
}

TEST(SharedSpans, MaximalRunsOnly) {
    const std::string b = "one two three four five six seven eight nine ten";
    EXPECT_EQ(shared_spans("x two three four five six seven eight nine y", b), (Spans{{1, 9}}));
    EXPECT_EQ(shared_spans("two three four five six seven eight", b), Spans{}) << "seven words are no evidence";
    EXPECT_EQ(shared_spans("TWO, three -- four\nfive; 'six' (seven) \"eight\"! NINE", b), (Spans{{0, 8}}));
    EXPECT_EQ(shared_spans("one two three four five six seven eight x one two three four five six seven eight", b),
              (Spans{{0, 8}, {9, 17}}));
}

TEST(SharedSpans, CharactersCountWithoutSpaces) {
    const std::string eight =
        "\xe6\x9c\x80\xe6\x97\xa9\xe7\x9a\x84\xe7\x81\xab\xe8\xbd\xa6\xe6\xb0\xb8\xe8\xbf\x9c\xe6\x98\xaf";
    EXPECT_EQ(shared_spans(eight, "\xe2\x80\x9c" + eight + "\xe3\x80\x82").size(), 1U);
    EXPECT_EQ(shared_spans(eight.substr(3), eight).size(), 0U);
}

TEST(SpanIndex, RunsDoNotCrossTexts) {
    SpanIndex index;
    index.add("one two three four");
    index.add("five six seven eight");
    EXPECT_TRUE(index.find(split_words("one two three four five six seven eight")).empty());
    EXPECT_EQ(index.find(split_words("one two three four five six seven eight"), 4), (Spans{{0, 4}, {4, 8}}));
}

// The automaton against the obvious slow search, on texts with so few words that they repeat a lot.
TEST(SpanIndex, AgreesWithSlowSearch) {
    std::mt19937 random(1);  // fixed seed: the same texts every time
    const auto text = [&](std::size_t size, unsigned words) {
        std::string made;
        for (std::size_t i = 0; i < size; ++i) {
            made += static_cast<char>('a' + random() % words);
            made += ' ';
        }
        return made;
    };
    for (int round = 0; round < 300; ++round) {
        const unsigned alphabet = 1 + random() % 4;
        const std::vector<std::string> added{text(random() % 20, alphabet), text(random() % 20, alphabet),
                                             text(random() % 20, alphabet)};
        const std::vector<Word> words = split_words(text(random() % 30, alphabet + 1));
        SpanIndex index;
        for (const std::string& one : added) {
            index.add(one);
        }
        const auto stands = [&](std::size_t begin, std::size_t end) {
            return std::any_of(added.begin(), added.end(), [&](const std::string& one) {
                const std::vector<Word> in = split_words(one);
                return std::search(in.begin(), in.end(), words.begin() + static_cast<std::ptrdiff_t>(begin),
                                   words.begin() + static_cast<std::ptrdiff_t>(end),
                                   [](const Word& l, const Word& r) { return l.text == r.text; }) != in.end();
            });
        };
        const std::vector<std::size_t> lengths = index.run_lengths(words);
        for (std::size_t end = 1; end <= words.size(); ++end) {
            std::size_t begin = 0;
            while (begin < end && !stands(begin, end)) {
                ++begin;
            }
            ASSERT_EQ(lengths[end - 1], end - begin);
        }
    }
}

TEST(SpanIndex, RepetitiveTextsTakeLinearTime) {
    std::string text;
    for (int i = 0; i < 200000; ++i) {
        text += "a ";
    }
    SpanIndex index;
    index.add(text);
    EXPECT_EQ(index.find(split_words(text + "b " + text)).size(), 2U);
}

TEST(SameText, ByWordsOrBytes) {
    EXPECT_TRUE(same_text("Done!", "done"));
    EXPECT_FALSE(same_text("Done it", "done"));
    EXPECT_FALSE(same_text("!", "?"));
    EXPECT_TRUE(holds_text("well, DONE it", "done."));
    EXPECT_FALSE(holds_text("undone", "done"));
    EXPECT_TRUE(holds_text("a \xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"));
}

}  // namespace
}  // namespace pasb
