// Text as comparable words that know where they stood. Not a linguistic analysis: words are folded, never translated or
// stemmed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pasb {

struct Word {
    std::string text;       // NFKC and case folded, without invisible characters
    std::size_t begin = 0;  // byte offsets of the original
    std::size_t end = 0;
};

// Letters and digits between anything else; an apostrophe inside a word is dropped. Scripts written without spaces
// (Han, kana, Thai, Lao, Khmer, Burmese) give one word a character, so that a count of words is a count of characters
// there. Bytes that are not UTF-8 separate.
std::vector<Word> split_words(std::string_view text);

// The same, but scripts without spaces are cut by ICU's dictionaries into real words.
std::vector<Word> segment_words(std::string_view text);

}  // namespace pasb
