#include "changes/words.hpp"

#include <gtest/gtest.h>

#include "model/utf8.hpp"

namespace pasb {
namespace {

std::vector<std::string> texts(const std::vector<Word>& words) {
    std::vector<std::string> result;
    for (const Word& word : words) {
        result.push_back(word.text);
    }
    return result;
}

using Texts = std::vector<std::string>;

TEST(SplitWords, FoldsAndIgnoresPunctuation) {
    EXPECT_EQ(texts(split_words("Don't STOP, \xe2\x80\x9creally\xe2\x80\x9d!")), (Texts{"dont", "stop", "really"}));
    EXPECT_EQ(texts(split_words("don\xe2\x80\x99t 'n' dogs' best")), (Texts{"dont", "n", "dogs", "best"}));
    EXPECT_EQ(texts(split_words("Stra\xc3\x9f"
                                "e \xef\xac\x81n \xef\xbc\xa1\xef\xbc\xa2")),
              (Texts{"strasse", "fin", "ab"}));
    EXPECT_EQ(texts(split_words("cafe\xcc\x81")), texts(split_words("CAF\xc3\x89"))) << "composed and decomposed";
    EXPECT_EQ(texts(split_words("re\xe2\x80\x8b"
                                "demp\xc2\xadtion")),
              Texts{"redemption"})
        << "zero-width space, soft hyphen";
}

TEST(SplitWords, OneWordACharacterWithoutSpaces) {
    EXPECT_EQ(split_words("\xe6\x88\x91\xe5\x96\x9c\xe6\xac\xa2tea\xe8\x8c\xb6").size(), 5U);
    EXPECT_EQ(texts(split_words("\xe3\x82\xab\xe3\x82\x99")), texts(split_words("\xe3\x82\xac")))
        << "voiced kana, two ways";
    EXPECT_EQ(split_words("\xed\x95\x9c\xea\xb5\xad \xec\x9d\x8c\xec\x8b\x9d").size(), 2U) << "Korean has spaces";
}

TEST(SplitWords, OffsetsAreThoseOfTheOriginal) {
    const std::string text = "\xc2\xab\xc3\x89t\xc3\xa9\xc2\xbb, it's";
    const std::vector<Word> words = split_words(text);
    ASSERT_EQ(words.size(), 2U);
    EXPECT_EQ(text.substr(words[0].begin, words[0].end - words[0].begin), "\xc3\x89t\xc3\xa9");
    EXPECT_EQ(text.substr(words[1].begin, words[1].end - words[1].begin), "it's");
}

TEST(SplitWords, BytesThatAreNotUtf8Separate) {
    EXPECT_EQ(texts(split_words("ab\xff"
                                "cd\xc3")),
              (Texts{"ab", "cd"}));
    EXPECT_EQ(texts(split_words(std::string_view("a\0b", 3))), (Texts{"a", "b"}));
}

TEST(SegmentWords, ChineseByDictionary) {
    const Texts words = texts(
        segment_words("\xe6\x9c\x80\xe6\x97\xa9\xe7\x9a\x84\xe7\x81\xab\xe8\xbd\xa6, TEA"));  // zui zao de huo che
    EXPECT_EQ(words, (Texts{"\xe6\x9c\x80\xe6\x97\xa9", "\xe7\x9a\x84", "\xe7\x81\xab\xe8\xbd\xa6", "tea"}));
}

TEST(IsUtf8, RefusesOverlongSurrogatesAndBeyond) {
    EXPECT_TRUE(is_utf8("a\xc3\xa9\xe4\xbd\xa0\xf0\x9f\x98\x80"));
    EXPECT_FALSE(is_utf8("\xc0\x80"));
    EXPECT_FALSE(is_utf8("\xe0\x80\x80"));
    EXPECT_FALSE(is_utf8("\xed\xa0\x80"));
    EXPECT_FALSE(is_utf8("\xf4\x90\x80\x80"));
    EXPECT_FALSE(is_utf8("\xe4\xbd"));
}

}  // namespace
}  // namespace pasb
