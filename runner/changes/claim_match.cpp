#include "changes/claim_match.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "changes/stop_words.hpp"
#include "changes/words.hpp"

namespace pasb {
namespace {

constexpr double claim_threshold = 0.34;
// A window counts as at least so many words long, and must share at least so many with the claim (or all, if the claim
// has fewer): two words side by side are chance, not a short note.
constexpr std::size_t least_window = 4;
constexpr std::size_t least_shared = 3;
// A rendering is mostly wrapping that says nothing, so it takes more of it to say the same.
constexpr double rendering_discount = 0.65;

std::size_t characters(std::string_view word) {
    return static_cast<std::size_t>(std::count_if(
        word.begin(), word.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80; }));
}

bool is_ascii(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

std::string_view without_plural(std::string_view word) {
    const bool plural = is_ascii(word) && word.size() >= 4 && word.ends_with('s') && !word.ends_with("ss");
    return plural ? word.substr(0, word.size() - 1) : word;
}

std::size_t shared_prefix(std::string_view left, std::string_view right) {
    const std::size_t bytes = static_cast<std::size_t>(
        std::mismatch(left.begin(), left.end(), right.begin(), right.end()).first - left.begin());
    return characters(left.substr(0, bytes));
}

// Equal but for inflection: a common beginning of five characters or more that makes up most of the longer word.
bool akin(std::string_view left, std::string_view right) {
    if (left == right) {
        return true;
    }
    const std::size_t common = shared_prefix(left, right);
    return common >= 5 && common * 5 >= std::max(characters(left), characters(right)) * 3;
}

// Words that carry content. A claim of nothing but stop words is compared by those.
std::vector<Word> content_words(std::string_view text, bool all) {
    std::vector<Word> words = segment_words(text);
    std::erase_if(words, [&](const Word& word) {
        const bool initial = word.text.size() == 1 && is_ascii(word.text) && (word.text[0] < '0' || word.text[0] > '9');
        return !all && (initial || is_stop_word(word.text));
    });
    for (Word& word : words) {
        word.text = without_plural(word.text);
    }
    return words;
}

// The distinct words of a claim, and which of them a word of a text stands for.
class ClaimWords {
  public:
    explicit ClaimWords(std::string_view claim) {
        add(content_words(claim, false));
        if (words_.empty()) {
            all_ = true;
            add(content_words(claim, true));
        }
    }

    [[nodiscard]] bool with_stop_words() const { return all_; }
    [[nodiscard]] std::size_t size() const { return words_.size(); }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    std::size_t find(const std::string& word) {
        const auto [entry, fresh] = found_.try_emplace(word, none);
        if (fresh) {
            auto at = std::find(words_.begin(), words_.end(), word);
            if (at == words_.end()) {
                at =
                    std::find_if(words_.begin(), words_.end(), [&](const std::string& own) { return akin(own, word); });
            }
            entry->second = at == words_.end() ? none : static_cast<std::size_t>(at - words_.begin());
        }
        return entry->second;
    }

  private:
    void add(const std::vector<Word>& words) {
        for (const Word& word : words) {
            if (std::find(words_.begin(), words_.end(), word.text) == words_.end()) {
                words_.push_back(word.text);
            }
        }
    }

    std::vector<std::string> words_;
    std::unordered_map<std::string, std::size_t> found_;
    bool all_ = false;
};

struct Hit {
    std::size_t at = 0;     // index among the text's content words
    std::size_t claim = 0;  // index among the claim's words
};

// The claim's words that a growing window has met, and how many of them in the claim's order (the longest rising run of
// their numbers).
class SharedWords {
  public:
    void add(std::size_t claim_word) {
        ++count_;
        const auto place = std::lower_bound(rising_.begin(), rising_.end(), claim_word);
        if (place == rising_.end()) {
            rising_.push_back(claim_word);
        } else {
            *place = claim_word;
        }
    }
    void clear() {
        count_ = 0;
        rising_.clear();
    }
    [[nodiscard]] std::size_t count() const { return count_; }

    // Half of a word's weight hangs on its place: a note tells a claim mostly in its order, chance does not.
    [[nodiscard]] double weight() const { return static_cast<double>(count_ + rising_.size()) / 2; }

  private:
    std::size_t count_ = 0;
    std::vector<std::size_t> rising_;  // the smallest last number of a rising run of each length
};

double window_score(double shared, std::size_t claim_size, std::size_t window_size) {
    const std::size_t window = std::max(window_size, std::min(claim_size, least_window));
    return shared / std::sqrt(static_cast<double>(claim_size) * static_cast<double>(window));
}

}  // namespace

ClaimMatch match_claim(std::string_view claim, std::string_view text) {
    ClaimMatch match;
    match.threshold = claim_threshold;
    ClaimWords claim_words(claim);
    const std::vector<Word> words = content_words(text, claim_words.with_stop_words());
    std::vector<Hit> hits;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t found = claim_words.find(words[i].text);
        if (found != ClaimWords::none) {
            hits.push_back({i, found});
        }
    }
    const std::size_t n = claim_words.size();
    // No longer window can reach the threshold, even with all of the claim's words in it.
    const auto longest = static_cast<std::size_t>(static_cast<double>(n) / (claim_threshold * claim_threshold));
    SharedWords shared;
    std::vector<std::size_t> seen_from(n, ClaimWords::none);
    for (std::size_t first = 0; first < hits.size(); ++first) {
        shared.clear();
        for (std::size_t last = first; last < hits.size() && hits[last].at - hits[first].at < longest; ++last) {
            if (seen_from[hits[last].claim] == first) {
                continue;
            }
            seen_from[hits[last].claim] = first;
            shared.add(hits[last].claim);
            const double score = window_score(shared.weight(), n, hits[last].at - hits[first].at + 1);
            if (score > match.score && shared.count() >= std::min(n, least_shared)) {
                match.score = score;
                match.span = {words[hits[first].at].begin, words[hits[last].at].end};
            }
        }
    }
    match.score = std::min(match.score, 1.0);
    match.holds = match.score >= match.threshold;
    return match;
}

ClaimMatch match_claim(std::string_view claim, std::span<const std::string> renderings, std::string_view text) {
    ClaimMatch best = match_claim(claim, text);
    for (std::size_t i = 0; i < renderings.size(); ++i) {
        ClaimMatch match = match_claim(renderings[i], text);
        match.score *= rendering_discount;
        match.holds = match.score >= match.threshold;
        if (match.score > best.score) {
            best = match;
            best.against = static_cast<int>(i) + 1;
        }
    }
    return best;
}

std::vector<std::string> claim_renderings(const Task& task) {
    switch (task.delivery) {
        case Delivery::all_at_once:
            return {task.turns[0]};
        case Delivery::progressive:
            return {task.turns[2]};
        case Delivery::drip:
            return {task.turns[0] + '\n' + task.turns[2] + '\n' + task.turns[4]};
        case Delivery::late_shock:
            return {task.turns[4]};
    }
    return {};
}

}  // namespace pasb
