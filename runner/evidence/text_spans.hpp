// Exact search for long runs of words that two texts share, in time linear in their sizes. Case, punctuation and white
// space do not count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "changes/words.hpp"

namespace pasb {

// Runs of this many words (or characters, in scripts without spaces) are evidence that text was carried over (issue 2,
// item 12).
inline constexpr std::size_t span_words = 8;

// A run of words of a text: [begin, end) in words.
struct WordSpan {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool operator==(const WordSpan&) const = default;
};

// JSON string escapes undone once (\n, \", \\, \/, \uXXXX with surrogate pairs); what is no escape stays as it is.
std::string unescape_json(std::string_view text);

// The text as it stands, and un-escaped once and twice where that changes it: tool results are JSON in a string,
// arguments JSON in JSON.
std::vector<std::string> readings(std::string_view text);

// Texts to be searched for, added one by one; a run never crosses from one text into another. Memory is linear in the
// texts.
class SpanIndex {
  public:
    SpanIndex();
    void add(std::string_view text);  // as it stands, without other readings
    void add_readings(std::string_view text);
    [[nodiscard]] bool empty() const { return states_.size() == 1; }

    // For every word of the text the length of the longest run ending with it that stands in one of the added texts.
    [[nodiscard]] std::vector<std::size_t> run_lengths(const std::vector<Word>& words) const;

    // All maximal runs of at least `least` words, in order; they may overlap. None is contained in another.
    [[nodiscard]] std::vector<WordSpan> find(const std::vector<Word>& words, std::size_t least = span_words) const;

    // Which words stand within a run of at least `least`.
    [[nodiscard]] std::vector<bool> covered(const std::vector<Word>& words, std::size_t least) const;

  private:
    // A state of the suffix automaton over word numbers. Nearly all states have one edge, hence no map in each.
    struct State {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // (word, state), sorted
        std::uint32_t link = 0;
        std::uint32_t length = 0;
    };
    [[nodiscard]] std::uint32_t follow(std::uint32_t state, std::uint32_t word) const;
    void set_edge(std::uint32_t state, std::uint32_t word, std::uint32_t to);
    std::uint32_t split(std::uint32_t from, std::uint32_t word, std::uint32_t to);
    void extend(std::uint32_t word);

    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<State> states_;
    std::uint32_t last_ = 0;
};

std::vector<WordSpan> shared_spans(std::string_view text, std::string_view other, std::size_t least = span_words);

// Whether the words of `piece` stand in `text` as one run; a piece without words is looked for as bytes.
bool holds_text(std::string_view text, std::string_view piece);

// Same words in the same order; texts without words are compared as bytes.
bool same_text(std::string_view left, std::string_view right);

}  // namespace pasb
