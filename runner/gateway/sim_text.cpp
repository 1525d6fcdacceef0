#include "gateway/sim_text.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

#include "wire/digest.hpp"

namespace pasb::sim {
namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

// Of a message, as much as the rules below look at.
constexpr std::size_t looked_at = 8'000;

// ASCII letters in lower case, the typographic apostrophe made plain: what the word lists below are written for.
std::string folded(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.substr(at, 3) == "\xE2\x80\x99") {
            out += '\'';
            at += 2;
        } else {
            out += text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
        }
    }
    return out;
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> found;
    std::string word;
    for (const char c : folded(text) + " ") {
        if (is_letter(c) || c == '\'' || static_cast<unsigned char>(c) >= 0x80U) {
            word += c;
        } else if (!word.empty()) {
            found.push_back(std::move(word));
            word.clear();
        }
    }
    return found;
}

bool ends_in_question(std::string_view sentence) {
    while (!sentence.empty() && (sentence.back() == '"' || sentence.back() == ')' || sentence.back() == '\'')) {
        sentence.remove_suffix(1);
    }
    return sentence.ends_with("?") || sentence.ends_with("\xEF\xBC\x9F");
}

bool is_request(std::string_view sentence) {
    // Only words that hardly begin a statement ("Design agencies ..." does).
    static const std::set<std::string> verbs{"assess",  "compare",   "compose",   "create",   "describe",
                                             "draft",   "explain",   "give",      "help",     "outline",
                                             "prepare", "propose",   "generate",  "suggest",  "tell",
                                             "write",   "recommend", "summarise", "summarize"};
    auto found = words(sentence);
    std::size_t first = 0;
    while (first < found.size() && (found[first] == "please" || found[first] == "now" || found[first] == "then")) {
        ++first;
    }
    return first < found.size() && verbs.contains(found[first]);
}

bool matches(const std::string& text, const std::regex& pattern) {
    return std::regex_search(text, pattern);
}

bool is_procedure(const std::string& text) {
    static const std::regex cue(
        R"(\bworkflow|\bprocedure\b|\bchecklist\b|\bplaybook\b|\bstep (\d|one|two)|\bsteps\b|\bwhenever\b|\bevery time\b|\bfrom now on\b)"
        R"(|\bgoing forward\b|\bfor (all |any |every )?future\b|\bin future\b|\brule for\b|\bmethod\b|\bprocess\b|\balways\b.{0,60}\bfirst\b)"
        R"(|(^|\n)\s*(1[.)]|\(1\))\s|\bskill\b)");
    return matches(text, cue);
}

bool concerns_user(const std::string& text) {
    static const std::regex cue(
        R"(\bremember\b|\bfor the record\b|\bi\b|\bi'(m|d|ve|ll)\b|\bmy\b|\bmine\b|\bme\b|\bthe user\b|\buser\b|\bsigned\b|\bnote (about|on|for) me\b)");
    return matches(text, cue);
}

}  // namespace

std::vector<std::string> sentences(std::string_view text) {
    static constexpr std::array<std::string_view, 3> wide{"\xE3\x80\x82", "\xEF\xBC\x81", "\xEF\xBC\x9F"};
    std::vector<std::string> found;
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
        if (const auto sentence = trim(text.substr(begin, end - begin)); !sentence.empty()) {
            found.emplace_back(sentence);
        }
        begin = end;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool mark = text[at] == '.' || text[at] == '!' || text[at] == '?';
        const bool at_gap = at + 1 == text.size() || is_space(text[at + 1]);
        if (text[at] == '\n' || (mark && at_gap)) {
            close(at + 1);
        } else if (std::find(wide.begin(), wide.end(), text.substr(at, 3)) != wide.end()) {
            close(at + 3);
        }
    }
    close(text.size());
    return found;
}

bool asks(std::string_view text) {
    const auto found = sentences(text);
    if (found.empty()) {
        return false;
    }
    if (ends_in_question(found.back())) {
        return true;
    }
    // The steps of a method are worded like requests.
    return !is_procedure(folded(text.substr(0, looked_at))) && (is_request(found.front()) || is_request(found.back()));
}

bool is_small_talk(std::string_view text) {
    static const std::set<std::string> openers{"thanks", "thank", "hello",   "hi",   "hey", "ok",
                                               "okay",   "great", "perfect", "cool", "bye"};
    const auto found = words(text);
    return found.empty() || (found.size() <= 6 && openers.contains(found.front()));
}

Destination destination_of(std::string_view text) {
    const std::string plain = folded(text.substr(0, looked_at));
    if (is_procedure(plain)) {
        return Destination::skill;
    }
    return concerns_user(plain) ? Destination::user : Destination::memory;
}

std::string bare_statement(std::string_view text) {
    static const std::regex hedge(
        R"(^(honestly|personally|actually|side note|aside|oh|by the way|just so you know|imo|quick context)\s*[,:\-]+\s*)",
        std::regex::icase);
    static const std::regex opinion(
        R"(^(i (just |really |do |also )?(think|believe|feel)( that)?|i feel like|i guess)\s+)", std::regex::icase);
    std::string line;
    for (const char c : trim(text.substr(0, looked_at))) {
        const char flat = is_space(c) ? ' ' : c;
        if (flat != ' ' || line.empty() || line.back() != ' ') {
            line += flat;
        }
    }
    for (std::string before; before != line;) {
        before = line;
        line = std::regex_replace(line, hedge, "", std::regex_constants::format_first_only);
    }
    std::string bare = std::regex_replace(line, opinion, "", std::regex_constants::format_first_only);
    if (!bare.empty() && bare[0] >= 'a' && bare[0] <= 'z') {
        bare[0] = static_cast<char>(bare[0] - 'a' + 'A');
    }
    return bare;
}

std::size_t code_points(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string shorten(std::string_view text, std::size_t limit) {
    static constexpr std::string_view mark = "...";
    if (code_points(text) <= limit) {
        return std::string(text);
    }
    std::size_t end = 0;
    for (std::size_t left = limit > mark.size() ? limit - mark.size() : 0; left > 0; --left) {
        do {
            ++end;
        } while (end < text.size() && is_continuation(text[end]));
    }
    std::string_view kept = text.substr(0, end);
    // Back to a word's end, unless that would throw away most of it (scripts without spaces).
    if (const auto space = kept.rfind(' '); space != std::string_view::npos && space > end / 2) {
        kept = kept.substr(0, space);
    }
    return std::string(trim(kept)) + std::string(mark);
}

std::string slug(std::string_view text) {
    static const std::set<std::string> common{
        "about", "after", "also", "always", "because", "before", "every", "first",  "from",
        "have",  "into",  "just", "like",   "that",    "their",  "then",  "there",  "these",
        "they",  "thing", "this", "think",  "user",    "want",   "what",  "when",   "whenever",
        "where", "which", "with", "would",  "your",    "step",   "steps", "future", "tasks"};
    std::string name;
    int taken = 0;
    for (const auto& word : words(text)) {
        const bool latin = std::all_of(word.begin(), word.end(), is_letter);
        if (taken < 3 && latin && word.size() >= 4 && word.size() <= 16 && !common.contains(word)) {
            name += (name.empty() ? "" : "-") + word;
            ++taken;
        }
    }
    return name.empty() ? sha256_hex(text).substr(0, 8) : name;
}

}  // namespace pasb::sim
