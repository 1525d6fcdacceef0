#include "evidence/shown.hpp"

#include <algorithm>
#include <unordered_set>

#include "evidence/text_spans.hpp"

namespace pasb {
namespace {

constexpr std::size_t least_run = 5;

// Share of the words that stand in the index, leaving out those marked as unfit to tell.
double share_of(const std::vector<Word>& words, const SpanIndex& index, const std::vector<bool>& unfit) {
    const std::vector<bool> seen = index.covered(words, std::min(least_run, words.size()));
    std::size_t count = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (seen[i] && !unfit[i]) {
            ++count;
        }
    }
    return words.empty() ? 0 : static_cast<double>(count) / static_cast<double>(words.size());
}

enum class Channel { automatic, by_tool, neither };

Channel channel_of(const std::string& role) {
    if (role == "system" || role == "developer" || role == "user") {
        return Channel::automatic;
    }
    return role == "tool" || role == "function" ? Channel::by_tool : Channel::neither;
}

void note_sight(ShownNote& note, Channel channel, double share, int request) {
    double& best = channel == Channel::automatic ? note.share_automatic : note.share_by_tool;
    bool& shown = channel == Channel::automatic ? note.automatic : note.by_tool;
    best = std::max(best, share);
    if (share >= shown_share) {
        shown = true;
        note.first_request = note.first_request < 0 ? request : note.first_request;
    }
}

}  // namespace

Shown check_shown(std::span<const Exchange> all, std::span<const TurnText> follow_up,
                  std::span<const ClaimNote> notes) {
    Shown result;
    SpanIndex questions;
    for (const TurnText& turn : follow_up) {
        questions.add(turn.user);
    }
    std::vector<std::vector<Word>> words;
    std::vector<std::vector<bool>> in_questions;
    for (const ClaimNote& note : notes) {
        words.push_back(split_words(note.text));
        in_questions.push_back(questions.covered(words.back(), least_run));
        result.notes.push_back({note.path});
    }
    std::unordered_set<std::string> seen;  // histories repeat, and what they show was noted at first sight
    int request = -1;
    for (const Exchange& exchange : all) {
        if (exchange.chat != Chat::follow_up) {
            continue;
        }
        ++request;
        result.known = true;
        for (const Message& message : messages_of(exchange.request)) {
            const Channel channel = channel_of(message.role);
            if (channel == Channel::neither || notes.empty() ||
                !seen.insert(message.role + '\n' + message.text).second) {
                continue;
            }
            SpanIndex index;
            index.add_readings(message.text);
            for (std::size_t i = 0; i < notes.size(); ++i) {
                const std::vector<bool> unfit =
                    message.role == "user" ? in_questions[i] : std::vector<bool>(words[i].size(), false);
                note_sight(result.notes[i], channel, share_of(words[i], index, unfit), request);
            }
        }
    }
    for (const ShownNote& note : result.notes) {
        result.automatic = result.automatic || note.automatic;
        result.by_tool = result.by_tool || note.by_tool;
    }
    return result;
}

}  // namespace pasb
