#include "evidence/cut.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "changes/changed_text.hpp"
#include "changes/printable.hpp"
#include "evidence/text_spans.hpp"
#include "model/utf8.hpp"

namespace pasb {
namespace {

// At either end of a span so many words may agree by chance with what stands beside an allowed text.
constexpr std::size_t edge_slack = 2;
constexpr std::size_t least_allowed_run = span_words - edge_slack;

std::string excerpt(std::string_view text) {
    constexpr std::size_t most_characters = 200;
    std::string line;
    std::size_t count = 0;
    std::size_t at = 0;
    while (at < text.size() && count < most_characters) {
        const std::size_t begin = at;
        const std::int32_t point = next_code_point(text, at);
        const bool blank = point == ' ' || point == '\n' || point == '\r' || point == '\t';
        if (blank && line.ends_with(' ')) {
            continue;
        }
        line += blank ? " " : printable(text.substr(begin, at - begin));
        ++count;
    }
    return line;
}

// Without "[Mon 2026-01-05 10:00]" and the like that a framework puts before or behind a user's words.
std::string_view without_brackets(std::string_view text) {
    const auto trim = [&text] {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        text = first == std::string_view::npos ? std::string_view()
                                               : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
    };
    trim();
    while (text.starts_with('[') && text.find(']') != std::string_view::npos) {
        text.remove_prefix(text.find(']') + 1);
        trim();
    }
    while (text.ends_with(']') && text.rfind('[') != std::string_view::npos) {
        text.remove_suffix(text.size() - text.rfind('['));
        trim();
    }
    return text;
}

std::string_view text_between(std::string_view text, const std::vector<Word>& words, WordSpan span) {
    return text.substr(words[span.begin].begin, words[span.end - 1].end - words[span.begin].begin);
}

bool is_any_of(std::string_view text, std::span<const std::string> texts) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& other) { return same_text(text, other); });
}

// Text that the framework itself put before the model at the very start, when of the user's words only the first turn's
// existed.
std::vector<std::string> framework_texts_of(const Exchange& first, const TurnText& first_turn) {
    std::vector<std::string> texts;
    const auto take = [&](const nlohmann::json& value) {
        std::vector<std::string> strings = strings_of(value);
        texts.insert(texts.end(), std::make_move_iterator(strings.begin()), std::make_move_iterator(strings.end()));
    };
    if (!first.request.is_object()) {
        return texts;
    }
    for (const auto& [key, value] : first.request.items()) {
        if (key != "messages") {
            take(value);
        }
    }
    for (const Message& message : messages_of(first.request)) {
        const bool of_user = message.role == "user" && (holds_text(message.text, first_turn.user) ||
                                                        !shared_spans(message.text, first_turn.user).empty());
        if (message.role == "system" || message.role == "developer" || (message.role == "user" && !of_user)) {
            texts.push_back(message.text);
        }
    }
    return texts;
}

// Two whole turns, each with the user's words and the agent's: no note that an agent writes, but a history that goes by
// a note's name.
bool is_transcript(std::string_view note, std::span<const TurnText> turns) {
    constexpr std::size_t least_user_words = 8;
    constexpr std::size_t least_agent_words = 5;
    constexpr int enough = 2;
    for (const std::string& reading : readings(note)) {
        int held = 0;
        for (const TurnText& turn : turns) {
            const bool long_enough = split_words(turn.user).size() >= least_user_words &&
                                     split_words(turn.agent).size() >= least_agent_words;
            held += long_enough && holds_text(reading, turn.user) && holds_text(reading, turn.agent) ? 1 : 0;
        }
        if (held >= enough) {
            return true;
        }
    }
    return false;
}

// What may stand in a text besides what may stand anywhere.
struct Excuses {
    bool notes = false;  // text of the carried notes
    bool tools = false;  // text that the framework's tools gave in the first chat, too
};

class CutCheck {
  public:
    explicit CutCheck(const CutInput& input) : input_(input) {
        for (const TurnText& turn : input.first_chat) {
            add_first_chat(turn.user);
            add_first_chat(turn.agent);
        }
        for (const TurnText& turn : input.follow_up) {
            own_.add(turn.user);
            own_texts_.push_back(turn.user);
        }
        for (const std::string& text : input.framework_texts) {
            own_.add_readings(text);
        }
        add_framework_of_first_request();
        add_tool_texts();
    }

    CutResult run() {
        check_crossed();
        for (const Exchange& exchange : input_.exchanges) {
            if (exchange.chat == Chat::follow_up) {
                check_exchange(exchange);
            }
        }
        check_second_home();
        result_.proven = result_.reason.empty();
        return std::move(result_);
    }

  private:
    void fail(const std::string& reason) {
        if (result_.reason.empty()) {
            result_.reason = reason;
        }
    }

    void add_first_chat(const std::string& text) {
        first_.add(text);
        if (!text.empty()) {
            first_texts_.push_back(text);
        }
    }

    void add_framework_of_first_request() {
        const auto first = std::find_if(input_.exchanges.begin(), input_.exchanges.end(),
                                        [](const Exchange& exchange) { return exchange.chat == Chat::first; });
        if (first == input_.exchanges.end() || first->turn > 1 || input_.first_chat.empty()) {
            return;
        }
        for (const std::string& text : framework_texts_of(*first, input_.first_chat.front())) {
            own_.add_readings(text);
        }
    }

    // A tool says some things in every chat ("Showing 0 most recent sessions ..."), and an agent may quote them. Its
    // results of the first chat count as the framework's text as far as neither the user nor the agent had said it.
    void add_tool_texts() {
        SpanIndex said;
        for (const TurnText& turn : input_.first_chat) {
            said.add_readings(turn.user);
        }
        std::unordered_set<std::string> seen;
        for (const Exchange& exchange : input_.exchanges) {
            if (exchange.chat != Chat::first) {
                continue;
            }
            for (const Message& message : messages_of(exchange.request)) {
                if (message.role == "tool" && seen.insert(message.text).second) {
                    add_unsaid(message.text, said);
                }
            }
            const Message answer = answer_of(exchange.response);
            said.add_readings(answer.text);
            for (const ToolCall& call : answer.tool_calls) {
                said.add_readings(call.arguments);
            }
        }
    }

    void add_unsaid(const std::string& text, const SpanIndex& said) {
        for (const std::string& reading : readings(text)) {
            const std::vector<Word> words = split_words(reading);
            const std::vector<bool> covered = said.covered(words, least_allowed_run);
            for (std::size_t begin = 0; begin < words.size();) {
                std::size_t end = begin;
                while (end < words.size() && covered[end] == covered[begin]) {
                    ++end;
                }
                if (!covered[begin]) {
                    tools_.add(text_between(reading, words, {begin, end}));
                }
                begin = end;
            }
        }
    }

    void check_crossed() {
        for (const CrossedPath& crossed : input_.crossed) {
            const std::string path = printable(crossed.path);
            result_.crossed.push_back(path);
            see_canary("note " + path, crossed.content);
            see_canary("name of note " + path, crossed.path);
            if (!is_note(crossed.kind)) {
                fail("a path that is no note crossed: " + path + " (" + std::string(to_string(crossed.kind)) + ")");
            } else if (!crossed.has_content) {
                fail("the content of a carried note is not known: " + path);
            } else if (!is_text(crossed.content)) {
                fail("a carried note is binary: " + path);
            } else if (is_transcript(crossed.content, input_.first_chat)) {
                fail("a carried note holds a transcript of the first chat: " + path);
            } else {
                notes_.add_readings(crossed.content);
                notes_.add(crossed.path);
            }
        }
    }

    void check_exchange(const Exchange& exchange) {
        const int number = result_.requests_checked;
        add_answers_before(exchange.turn);
        if (exchange.request.is_object()) {
            check_request(exchange.request, number);
            ++result_.requests_checked;
        } else {
            fail("a follow-up request could not be read");
        }
        for (const std::string& text : strings_of(exchange.response)) {
            see_canary("response " + std::to_string(number), text);
        }
        add_answer(answer_of(exchange.response));
    }

    // What the model said in the follow-up is its own from the next request on, not before.
    void add_answer(const Message& answer) {
        own_.add_readings(answer.text);
        own_texts_.push_back(answer.text);
        for (const ToolCall& call : answer.tool_calls) {
            own_.add_readings(call.arguments);
        }
    }

    void add_answers_before(int turn) {
        for (; answers_added_ + 1 < turn && static_cast<std::size_t>(answers_added_) < input_.follow_up.size();
             ++answers_added_) {
            const std::string& agent = input_.follow_up[static_cast<std::size_t>(answers_added_)].agent;
            own_.add_readings(agent);
            own_texts_.push_back(agent);
        }
    }

    void check_request(const nlohmann::json& request, int number) {
        for (const auto& [key, value] : request.items()) {
            if (key == "messages" && value.is_array()) {
                continue;
            }
            for (const std::string& text : strings_of(value)) {
                check_text(text, {.notes = true}, number, key);
            }
        }
        const std::vector<Message> messages = messages_of(request);
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const std::string where = "messages/" + std::to_string(i) + " (" + printable(messages[i].role) + ")";
            check_whole_message(messages[i], number, where);
            for (const std::string& text : strings_of(request.at("messages").at(i))) {
                check_text(text, {messages[i].role != "assistant", messages[i].role == "tool"}, number, where);
            }
        }
    }

    void check_whole_message(const Message& message, int number, const std::string& where) {
        const bool of_user = message.role == "user";
        if (!of_user && message.role != "assistant") {
            return;
        }
        const std::string_view text = of_user ? without_brackets(message.text) : std::string_view(message.text);
        if (!text.empty() && is_any_of(text, first_texts_) && !is_any_of(text, own_texts_)) {
            const std::vector<Word> words = split_words(text);
            report(number, where, words.empty() ? text : text_between(text, words, {0, words.size()}), words.size());
        }
    }

    void check_text(const std::string& text, Excuses excuses, int number, const std::string& where) {
        see_canary("request " + std::to_string(number), text);
        // Histories repeat: a text that passed once passes later, since what is allowed only grows.
        if (!checked_.insert(std::string(excuses.notes ? "n" : "-") + (excuses.tools ? "t" : "-") + text).second) {
            return;
        }
        for (const std::string& reading : readings(text)) {
            const std::vector<Word> words = split_words(reading);
            const std::vector<WordSpan> spans = first_.find(words, span_words);
            if (spans.empty()) {
                continue;
            }
            std::vector<bool> allowed = own_.covered(words, least_allowed_run);
            if (excuses.notes) {
                add_allowed(allowed, notes_, words);
            }
            if (excuses.tools) {
                add_allowed(allowed, tools_, words);
            }
            for (const WordSpan& span : spans) {
                if (!excused(span, allowed)) {
                    report(number, where, text_between(reading, words, span), span.end - span.begin);
                }
            }
        }
    }

    static void add_allowed(std::vector<bool>& allowed, const SpanIndex& index, const std::vector<Word>& words) {
        const std::vector<bool> more = index.covered(words, least_allowed_run);
        std::transform(allowed.begin(), allowed.end(), more.begin(), allowed.begin(), std::logical_or<>());
    }

    static bool excused(WordSpan span, const std::vector<bool>& allowed) {
        for (std::size_t slack = 0; slack < edge_slack && !allowed[span.begin]; ++slack) {
            ++span.begin;
        }
        for (std::size_t slack = 0; slack < edge_slack && !allowed[span.end - 1]; ++slack) {
            --span.end;
        }
        for (std::size_t i = span.begin; i < span.end; ++i) {
            if (!allowed[i]) {
                return false;
            }
        }
        return true;
    }

    void report(int number, const std::string& where, std::string_view text, std::size_t words) {
        fail("first-chat text in follow-up request " + std::to_string(number) + ", " + where);
        const std::string shown = excerpt(text);
        if (!reported_.insert(shown).second) {
            return;
        }
        ++result_.foreign_total;
        if (result_.foreign_spans.size() < max_foreign_spans) {
            result_.foreign_spans.push_back({number, where, shown, words});
        }
    }

    void check_second_home() {
        for (const NamedBytes& file : input_.second_home) {
            see_canary("home " + printable(file.name), file.bytes);
            see_canary("home " + printable(file.name), file.name);
        }
        if (result_.requests_checked == 0) {
            fail("no requests recorded");
        }
        if (first_texts_.empty()) {
            fail("no text of the first chat to look for");
        }
        if (input_.canary.empty()) {
            fail("no canary was planted");
        }
    }

    void see_canary(const std::string& where, std::string_view bytes) {
        if (input_.canary.empty() || bytes.find(input_.canary) == std::string_view::npos) {
            return;
        }
        fail("the canary was seen in " + where);
        if (std::find(result_.canary_seen.begin(), result_.canary_seen.end(), where) == result_.canary_seen.end()) {
            result_.canary_seen.push_back(where);
        }
    }

    const CutInput& input_;
    CutResult result_;
    SpanIndex first_;
    SpanIndex own_;  // allowed everywhere: questions, the framework's texts, the follow-up's answers so far
    SpanIndex notes_;
    SpanIndex tools_;
    std::vector<std::string> first_texts_;
    std::vector<std::string> own_texts_;
    std::unordered_set<std::string> checked_;
    std::unordered_set<std::string> reported_;
    int answers_added_ = 0;
};

}  // namespace

CutResult check_cut(const CutInput& input) {
    return CutCheck(input).run();
}

}  // namespace pasb
