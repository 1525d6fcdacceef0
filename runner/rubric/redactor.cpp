#include "rubric/redactor.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "changes/words.hpp"

namespace pasb {
namespace {

// Frameworks whose names are hidden whatever the record's framework is, as folded letters without separators.
constexpr std::array<std::string_view, 6> known_frameworks{"hermes",  "openclaw", "clawdbot",
                                                           "moltbot", "clawhub",  "nousresearch"};

// Models and their makers. Words of everyday English ("falcon", "phi", "cohere") are left out: hiding them
// would take more from the evidence than it hides.
constexpr std::array<std::string_view, 54> known_models{
    "gpt",       "chatgpt",  "openai",    "gptoss",   "claude",   "anthropic",  "gemini",    "gemma",     "deepmind",
    "llama",     "metaai",   "codellama", "mistral",  "mixtral",  "magistral",  "ministral", "codestral", "devstral",
    "qwen",      "qwq",      "tongyi",    "deepseek", "kimi",     "moonshotai", "glm",       "chatglm",   "zhipu",
    "zhipuai",   "grok",     "xai",       "commandr", "nemotron", "hunyuan",    "erniebot",  "doubao",    "baichuan",
    "internlm",  "vicuna",   "wizardlm",  "olmo",     "smollm",   "openrouter", "starcoder", "dbrx",      "jamba",
    "pasbmodel", "通义千问", "千问",      "月之暗面", "智谱",     "文心一言",   "豆包",      "混元",      "百川"};

// Words behind a maker's name that belong to a model's name ("Claude 3.5 Sonnet").
constexpr std::array<std::string_view, 12> model_suffixes{"sonnet", "opus", "haiku", "flash",    "pro",   "turbo",
                                                          "mini",   "nano", "ultra", "instruct", "coder", "thinking"};

// First words of model names that are everyday words too, so that they are no stem ("local-vllm").
constexpr std::array<std::string_view, 11> plain_words{"local", "chat",  "model", "models",  "test", "text",
                                                       "large", "small", "mini",  "default", "agent"};

constexpr std::size_t shortest_stem = 4;
// So long a name is hidden inside of longer words too; of models only longer ones, for the sake of "Claudette".
constexpr std::size_t framework_substring = 6;
constexpr std::size_t model_substring = 7;
constexpr std::size_t longest_gap = 3;  // bytes between the words of one name: "open - claw"
constexpr std::size_t most_words = 12;  // of one name
constexpr std::string_view glue = "-_.:/@+";

bool among(const auto& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string folded(std::string_view text) {
    std::string joined;
    for (const Word& word : split_words(text)) {
        joined += word.text;
    }
    return joined;
}

std::string ascii_lower(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return lower;
}

void add(std::vector<std::string>& names, std::string name) {
    if (name.size() >= 2 && !among(names, name)) {
        names.push_back(std::move(name));
    }
}

// "Qwen3-32B" -> "qwen".
std::string stem_of(std::string_view part) {
    const std::string lower = ascii_lower(part);
    const auto end = std::find_if(lower.begin(), lower.end(), [](char c) { return c < 'a' || c > 'z'; });
    return {lower.begin(), end};
}

// The whole name, its slash parts, and the stem of each.
std::vector<std::string> model_names(std::string_view model) {
    std::vector<std::string> names;
    if (model.starts_with("sim:")) {
        add(names, folded("simulated model " + std::string(model)));
        add(names, folded(model));
        return names;
    }
    add(names, folded(model));
    for (std::size_t at = 0; at <= model.size();) {
        const auto end = std::min(model.find('/', at), model.size());
        const std::string_view part = model.substr(at, end - at);
        if (folded(part).size() >= shortest_stem && !among(plain_words, folded(part))) {
            add(names, folded(part));
        }
        if (const std::string stem = stem_of(part); stem.size() >= shortest_stem && !among(plain_words, stem)) {
            add(names, stem);
        }
        at = end + 1;
    }
    return names;
}

// The last two segments of a path, lower case; empty for a path of one.
std::string tail_of(std::string_view path) {
    const auto last = path.rfind('/');
    if (last == std::string_view::npos || last == 0) {
        return {};
    }
    const auto before = path.rfind('/', last - 1);
    return ascii_lower(before == std::string_view::npos ? path : path.substr(before + 1));
}

bool parts_tokens(char c) {
    return std::string_view(" \t\r\n\"'`<>()[]{},;|*").find(c) != std::string_view::npos;
}

struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool agent = false;  // else a model
};

// A run of characters without space or quotes that names a place in a file system.
Span token_around(std::string_view text, std::size_t begin, std::size_t end) {
    while (begin > 0 && !parts_tokens(text[begin - 1])) {
        --begin;
    }
    while (end < text.size() && !parts_tokens(text[end])) {
        ++end;
    }
    while (end > begin && std::string_view(".:!?").find(text[end - 1]) != std::string_view::npos) {
        --end;
    }
    return {begin, end, true};
}

bool is_path(std::string_view token) {
    return token.find('/') != std::string_view::npos || token.find('\\') != std::string_view::npos;
}

bool is_home_path(std::string_view lower) {
    return lower.starts_with("~/") || lower.starts_with("$home/") || lower.starts_with("${home") ||
           lower.find("/home/agent") != std::string_view::npos || lower.find("/run/pasb") != std::string_view::npos;
}

class Finder {
  public:
    Finder(std::string_view text, const std::vector<std::string>& frameworks, const std::vector<std::string>& models,
           const std::vector<std::string>& tails)
        : text_(text), frameworks_(frameworks), models_(models), tails_(tails), words_(split_words(text)) {}

    std::vector<Span> run() {
        find_paths();
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (!add_agent(i)) {
                add_model(i);
            }
        }
        return merged();
    }

  private:
    void find_paths() {
        for (std::size_t at = 0; at < text_.size();) {
            if (parts_tokens(text_[at])) {
                ++at;
                continue;
            }
            const Span token = token_around(text_, at, at + 1);
            if (names_a_note(text_.substr(token.begin, token.end - token.begin))) {
                spans_.push_back(token);
            }
            at = std::max(token.end, at + 1);
        }
    }

    [[nodiscard]] bool names_a_note(std::string_view token) const {
        if (!is_path(token)) {
            return false;
        }
        const std::string lower = ascii_lower(token);
        return is_home_path(lower) || std::any_of(tails_.begin(), tails_.end(),
                                                  [&lower](const std::string& tail) { return lower.ends_with(tail); });
    }

    // The number of words from the i-th on that spell `name` together; 0 when they do not.
    [[nodiscard]] std::size_t spelt(std::size_t i, std::string_view name) const {
        std::size_t at = 0;
        for (std::size_t k = 0; k < most_words && i + k < words_.size(); ++k) {
            if (k > 0 && !close_together(i + k)) {
                return 0;
            }
            const std::string& word = words_[i + k].text;
            if (name.substr(at, word.size()) != word) {
                return 0;
            }
            at += word.size();
            if (at == name.size()) {
                return k + 1;
            }
        }
        return 0;
    }

    // Whether the i-th word and the one before may be parts of one name.
    [[nodiscard]] bool close_together(std::size_t i) const {
        const std::size_t begin = words_[i - 1].end;
        const std::string_view gap = text_.substr(begin, words_[i].begin - begin);
        return gap.size() <= longest_gap && gap.find_first_of("\n!?,;") == std::string_view::npos &&
               (gap.find(". ") == std::string_view::npos);
    }

    [[nodiscard]] bool glued(std::size_t i) const {
        const std::size_t begin = words_[i - 1].end;
        const std::string_view gap = text_.substr(begin, words_[i].begin - begin);
        return gap.size() <= 2 && gap.find_first_not_of(glue) == std::string_view::npos;
    }

    bool add_agent(std::size_t i) {
        const Word& word = words_[i];
        for (const std::string& name : frameworks_) {
            const bool inside = name.size() >= framework_substring && word.text.find(name) != std::string::npos;
            const std::size_t count = inside ? 1 : spelt(i, name);
            if (count == 0) {
                continue;
            }
            std::size_t last = i + count - 1;
            if (last + 1 < words_.size() && close_together(last + 1) && words_[last + 1].text == "agent") {
                ++last;
            }
            spans_.push_back(agent_span(word.begin, words_[last].end));
            return true;
        }
        return false;
    }

    // The name alone, or the whole path that it is part of.
    Span agent_span(std::size_t begin, std::size_t end) {
        // A token is looked at once, however often it holds a name.
        if (begin < token_.begin || end > token_.end) {
            token_ = token_around(text_, begin, end);
            token_is_path_ = is_path(text_.substr(token_.begin, token_.end - token_.begin));
        }
        return token_is_path_ ? token_ : Span{with_dot(begin), end, true};
    }

    // ".hermes" is the folder's name.
    [[nodiscard]] std::size_t with_dot(std::size_t begin) const {
        const bool dot = begin > 0 && text_[begin - 1] == '.' && (begin < 2 || parts_tokens(text_[begin - 2]));
        return dot ? begin - 1 : begin;
    }

    void add_model(std::size_t i) {
        std::size_t longest = 0;
        for (const std::string& name : models_) {
            longest = std::max(longest, model_words(i, name));
        }
        if (longest == 0) {
            return;
        }
        std::size_t last = i + longest - 1;
        while (last + 1 < words_.size() && (glued(last + 1) || continues_name(last + 1))) {
            ++last;
        }
        spans_.push_back({words_[i].begin, words_[last].end, false});
    }

    // As spelt, and one word that goes on with a version ("gpt4o") or an s, or that holds a long name.
    [[nodiscard]] std::size_t model_words(std::size_t i, std::string_view name) const {
        const std::string& word = words_[i].text;
        const bool versioned = word.size() > name.size() && word.starts_with(name) && is_digit(word[name.size()]);
        const bool inside = name.size() >= model_substring && word.find(name) != std::string::npos;
        const bool plural = word.size() == name.size() + 1 && word.starts_with(name) && word.back() == 's';
        return versioned || inside || plural ? 1 : spelt(i, name);
    }

    // " 3" of "Claude 3.5 Sonnet", and " Sonnet".
    [[nodiscard]] bool continues_name(std::size_t i) const {
        const std::size_t begin = words_[i - 1].end;
        if (text_.substr(begin, words_[i].begin - begin) != " ") {
            return false;
        }
        const std::string& word = words_[i].text;
        const bool version = std::all_of(word.begin(), word.end(), is_digit) && i + 1 < words_.size() && glued(i + 1) &&
                             is_digit(words_[i + 1].text.front());
        return version || among(model_suffixes, word);
    }

    std::vector<Span> merged() {
        std::sort(spans_.begin(), spans_.end(), [](const Span& left, const Span& right) {
            return std::pair(left.begin, right.end) < std::pair(right.begin, left.end);
        });
        std::vector<Span> out;
        for (const Span& span : spans_) {
            if (!out.empty() && span.begin < out.back().end) {
                out.back().end = std::max(out.back().end, span.end);
            } else {
                out.push_back(span);
            }
        }
        return out;
    }

    std::string_view text_;
    const std::vector<std::string>& frameworks_;
    const std::vector<std::string>& models_;
    const std::vector<std::string>& tails_;
    std::vector<Word> words_;
    std::vector<Span> spans_;
    Span token_;  // the last one that held a framework's name
    bool token_is_path_ = false;
};

}  // namespace

Redactor::Redactor(const Record& record) {
    for (const std::string_view name : known_frameworks) {
        add(frameworks_, std::string(name));
    }
    add(frameworks_, folded(record.framework));
    models_ = model_names(record.model);
    for (const std::string_view name : known_models) {
        add(models_, std::string(name));
    }
    for (const NoteRecord& note : record.notes) {
        if (std::string tail = tail_of(note.path); !tail.empty()) {
            add(note_tails_, std::move(tail));
        }
    }
}

std::string Redactor::hide(std::string_view text) {
    std::string out;
    std::size_t at = 0;
    for (const Span& span : Finder(text, frameworks_, models_, note_tails_).run()) {
        out += text.substr(at, span.begin - at);
        out += span.agent ? "[agent]" : "[model]";
        at = span.end;
        ++count_;
    }
    return out += text.substr(at);
}

}  // namespace pasb
