#include "evidence/text_spans.hpp"

#include <algorithm>
#include <limits>

namespace pasb {
namespace {

constexpr std::uint32_t no_state = std::numeric_limits<std::uint32_t>::max();

int hex_value(char digit) {
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    if (digit >= 'A' && digit <= 'F') {
        return digit - 'A' + 10;
    }
    return -1;
}

// The code unit of \uXXXX at `at`, or -1.
int unicode_escape(std::string_view text, std::size_t at) {
    constexpr std::size_t length = 6;
    if (text.size() - std::min(text.size(), at) < length || text[at] != '\\' || text[at + 1] != 'u') {
        return -1;
    }
    int value = 0;
    for (std::size_t i = at + 2; i < at + length; ++i) {
        const int digit = hex_value(text[i]);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

void append_utf8(std::string& out, std::uint32_t point) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((point >> shift) & 0x3FU)); };
    if (point < 0x80) {
        out += static_cast<char>(point);
    } else if (point < 0x800) {
        out += static_cast<char>(0xC0U | (point >> 6U));
        tail(0);
    } else if (point < 0x10000) {
        out += static_cast<char>(0xE0U | (point >> 12U));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0U | (point >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

bool is_high_surrogate(int unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_low_surrogate(int unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

// Appends what the \uXXXX at `at` stands for and returns the bytes read; 0 where it stands for nothing (a lone
// surrogate).
std::size_t append_unicode(std::string& out, std::string_view text, std::size_t at) {
    const int unit = unicode_escape(text, at);
    if (unit < 0 || is_low_surrogate(unit)) {
        return 0;
    }
    if (!is_high_surrogate(unit)) {
        append_utf8(out, static_cast<std::uint32_t>(unit));
        return 6;
    }
    const int low = unicode_escape(text, at + 6);
    if (!is_low_surrogate(low)) {
        return 0;
    }
    append_utf8(out, 0x10000U + ((static_cast<std::uint32_t>(unit) - 0xD800U) << 10U) +
                         (static_cast<std::uint32_t>(low) - 0xDC00U));
    return 12;
}

// What the letter after a backslash stands for; 0 where it is no escape.
char simple_escape(char letter) {
    switch (letter) {
        case 'n':
            return '\n';
        case 't':
            return '\t';
        case 'r':
            return '\r';
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case '"':
        case '\\':
        case '/':
            return letter;
        default:
            return 0;
    }
}

}  // namespace

std::string unescape_json(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            out += text[at++];
            continue;
        }
        const char letter = text[at + 1];
        const char plain = simple_escape(letter);
        if (plain != 0) {
            out += plain;
            at += 2;
            continue;
        }
        const std::size_t read = letter == 'u' ? append_unicode(out, text, at) : 0;
        if (read == 0) {
            out += text[at++];
        } else {
            at += read;
        }
    }
    return out;
}

std::vector<std::string> readings(std::string_view text) {
    constexpr int most_unescaped = 2;
    std::vector<std::string> result{std::string(text)};
    for (int i = 0; i < most_unescaped && result.back().find('\\') != std::string::npos; ++i) {
        std::string plain = unescape_json(result.back());
        if (plain == result.back()) {
            break;
        }
        result.push_back(std::move(plain));
    }
    return result;
}

SpanIndex::SpanIndex() : states_(1) {
    states_[0].link = no_state;
}

void SpanIndex::add(std::string_view text) {
    // A new text starts at the root: runs that end in it are its own. Shorter suffixes of older texts are reached as
    // usual, so that the automaton is that of all the texts.
    last_ = 0;
    for (Word& word : split_words(text)) {
        const auto next = static_cast<std::uint32_t>(numbers_.size());
        extend(numbers_.try_emplace(std::move(word.text), next).first->second);
    }
}

void SpanIndex::add_readings(std::string_view text) {
    for (const std::string& reading : readings(text)) {
        add(reading);
    }
}

std::uint32_t SpanIndex::follow(std::uint32_t state, std::uint32_t word) const {
    const auto& edges = states_[state].edges;
    const auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair(word, std::uint32_t{0}));
    return edge != edges.end() && edge->first == word ? edge->second : no_state;
}

void SpanIndex::set_edge(std::uint32_t state, std::uint32_t word, std::uint32_t to) {
    auto& edges = states_[state].edges;
    const auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair(word, std::uint32_t{0}));
    if (edge != edges.end() && edge->first == word) {
        edge->second = to;
    } else {
        edges.insert(edge, {word, to});
    }
}

// `to` stands for longer runs than those that come from `from`: gives these a state of their own.
std::uint32_t SpanIndex::split(std::uint32_t from, std::uint32_t word, std::uint32_t to) {
    const auto clone = static_cast<std::uint32_t>(states_.size());
    states_.push_back(states_[to]);
    states_[clone].length = states_[from].length + 1;
    states_[to].link = clone;
    for (std::uint32_t state = from; state != no_state && follow(state, word) == to; state = states_[state].link) {
        set_edge(state, word, clone);
    }
    return clone;
}

// Online construction of a suffix automaton for several texts: as for one, but a transition that exists already is
// followed or split.
void SpanIndex::extend(std::uint32_t word) {
    const std::uint32_t known = follow(last_, word);
    if (known != no_state) {
        last_ = states_[known].length == states_[last_].length + 1 ? known : split(last_, word, known);
        return;
    }
    const auto fresh = static_cast<std::uint32_t>(states_.size());
    states_.push_back({{}, 0, states_[last_].length + 1});
    std::uint32_t state = last_;
    while (state != no_state && follow(state, word) == no_state) {
        set_edge(state, word, fresh);
        state = states_[state].link;
    }
    if (state != no_state) {
        const std::uint32_t to = follow(state, word);
        const std::uint32_t link = states_[to].length == states_[state].length + 1 ? to : split(state, word, to);
        states_[fresh].link = link;
    }
    last_ = fresh;
}

std::vector<std::size_t> SpanIndex::run_lengths(const std::vector<Word>& words) const {
    std::vector<std::size_t> lengths;
    lengths.reserve(words.size());
    std::uint32_t state = 0;
    std::size_t length = 0;
    for (const Word& word : words) {
        const auto number = numbers_.find(word.text);
        std::uint32_t next = number == numbers_.end() ? no_state : follow(state, number->second);
        while (next == no_state && state != 0) {
            state = number == numbers_.end() ? 0 : states_[state].link;
            length = states_[state].length;
            next = number == numbers_.end() ? no_state : follow(state, number->second);
        }
        if (next != no_state) {
            state = next;
            ++length;
        }
        lengths.push_back(length);
    }
    return lengths;
}

std::vector<WordSpan> SpanIndex::find(const std::vector<Word>& words, std::size_t least) const {
    const std::vector<std::size_t> lengths = run_lengths(words);
    std::vector<WordSpan> spans;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const bool goes_on = i + 1 < lengths.size() && lengths[i + 1] == lengths[i] + 1;
        if (lengths[i] >= std::max<std::size_t>(least, 1) && !goes_on) {
            spans.push_back({i + 1 - lengths[i], i + 1});
        }
    }
    return spans;
}

std::vector<bool> SpanIndex::covered(const std::vector<Word>& words, std::size_t least) const {
    std::vector<bool> marks(words.size(), false);
    std::size_t marked = 0;  // spans come in order of both ends, so that no word is marked twice
    for (const WordSpan& span : find(words, least)) {
        for (std::size_t i = std::max(span.begin, marked); i < span.end; ++i) {
            marks[i] = true;
        }
        marked = span.end;
    }
    return marks;
}

std::vector<WordSpan> shared_spans(std::string_view text, std::string_view other, std::size_t least) {
    SpanIndex index;
    index.add(other);
    return index.find(split_words(text), least);
}

bool holds_text(std::string_view text, std::string_view piece) {
    const std::vector<Word> wanted = split_words(piece);
    if (wanted.empty()) {
        return text.find(piece) != std::string_view::npos;
    }
    const std::vector<Word> words = split_words(text);
    const auto same = [](const Word& left, const Word& right) { return left.text == right.text; };
    return std::search(words.begin(), words.end(), wanted.begin(), wanted.end(), same) != words.end();
}

bool same_text(std::string_view left, std::string_view right) {
    const std::vector<Word> left_words = split_words(left);
    const std::vector<Word> right_words = split_words(right);
    if (left_words.empty() && right_words.empty()) {
        return left == right;
    }
    const auto same = [](const Word& one, const Word& other) { return one.text == other.text; };
    return std::equal(left_words.begin(), left_words.end(), right_words.begin(), right_words.end(), same);
}

}  // namespace pasb
