#include "changes/words.hpp"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>

#include <memory>
#include <stdexcept>

#include "model/utf8.hpp"

namespace pasb {
namespace {

enum class Class { separator, letter, own_word, mark, apostrophe, invisible };

bool is_written_without_spaces(UChar32 point) {
    UErrorCode error = U_ZERO_ERROR;
    switch (uscript_getScript(point, &error)) {
        case USCRIPT_HAN:
        case USCRIPT_HIRAGANA:
        case USCRIPT_KATAKANA:
        case USCRIPT_THAI:
        case USCRIPT_LAO:
        case USCRIPT_KHMER:
        case USCRIPT_MYANMAR:
            return true;
        default:
            return false;
    }
}

Class class_of_ascii(UChar32 point) {
    const bool alphanumeric =
        (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') || (point >= '0' && point <= '9');
    if (alphanumeric) {
        return Class::letter;
    }
    return point == '\'' ? Class::apostrophe : Class::separator;
}

Class class_of(UChar32 point) {
    constexpr UChar32 right_quote = 0x2019;
    constexpr UChar32 modifier_apostrophe = 0x02BC;
    constexpr UChar32 wide_apostrophe = 0xFF07;
    constexpr UChar32 narrow_voiced_mark = 0xFF9E;
    constexpr UChar32 narrow_semi_voiced_mark = 0xFF9F;
    if (point < 0) {
        return Class::separator;
    }
    if (point < 0x80) {
        return class_of_ascii(point);
    }
    if (point == right_quote || point == modifier_apostrophe || point == wide_apostrophe) {
        return Class::apostrophe;
    }
    if (point == narrow_voiced_mark || point == narrow_semi_voiced_mark) {
        return Class::mark;
    }
    if (u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) {
        return Class::invisible;
    }
    const std::uint32_t category = U_GET_GC_MASK(point);
    if ((category & U_GC_M_MASK) != 0) {
        return Class::mark;
    }
    if ((category & (U_GC_L_MASK | U_GC_N_MASK)) != 0) {
        return is_written_without_spaces(point) ? Class::own_word : Class::letter;
    }
    return Class::separator;
}

std::string fold(std::string_view raw) {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* normalizer = icu::Normalizer2::getNFKCCasefoldInstance(error);
    if (U_FAILURE(error) != 0) {
        throw std::runtime_error("ICU has no NFKC case folding data");
    }
    std::string folded;
    icu::StringByteSink<std::string> sink(&folded);
    normalizer->normalizeUTF8(0, icu::StringPiece(raw.data(), static_cast<std::int32_t>(raw.size())), sink, nullptr,
                              error);
    return folded;
}

bool is_ascii(std::string_view text) {
    for (const char byte : text) {
        if (static_cast<unsigned char>(byte) >= 0x80) {
            return false;
        }
    }
    return true;
}

std::string lower_ascii(std::string_view text) {
    std::string lower(text);
    for (char& byte : lower) {
        if (byte >= 'A' && byte <= 'Z') {
            byte = static_cast<char>(byte - 'A' + 'a');
        }
    }
    return lower;
}

// A word under construction. `raw` holds its characters without apostrophes.
class Splitter {
  public:
    explicit Splitter(std::string_view text) : text_(text) {}

    std::vector<Word> run() {
        std::size_t at = 0;
        while (at < text_.size()) {
            const std::size_t begin = at;
            const Class type = class_of(next_code_point(text_, at));
            step(type, begin, at);
        }
        finish();
        return std::move(words_);
    }

  private:
    void step(Class type, std::size_t begin, std::size_t end) {
        switch (type) {
            case Class::letter:
                if (own_word_) {
                    finish();
                }
                append(begin, end);
                break;
            case Class::own_word:
                finish();
                append(begin, end);
                own_word_ = true;
                break;
            case Class::mark:
                if (!raw_.empty()) {
                    append(begin, end);
                }
                break;
            case Class::apostrophe:
                // Dropped inside a word; one at its end must not glue the next word on, so the end of the word stays
                // before it.
                if (after_apostrophe_ || raw_.empty() || own_word_) {
                    finish();
                } else {
                    after_apostrophe_ = true;
                }
                break;
            case Class::invisible:
                break;
            case Class::separator:
                finish();
                break;
        }
    }

    void append(std::size_t begin, std::size_t end) {
        if (raw_.empty()) {
            begin_ = begin;
        }
        raw_ += text_.substr(begin, end - begin);
        end_ = end;
        after_apostrophe_ = false;
    }

    void finish() {
        if (!raw_.empty()) {
            std::string folded = is_ascii(raw_) ? lower_ascii(raw_) : fold(raw_);
            if (!folded.empty()) {
                words_.push_back({std::move(folded), begin_, end_});
            }
        }
        raw_.clear();
        own_word_ = false;
        after_apostrophe_ = false;
    }

    std::string_view text_;
    std::vector<Word> words_;
    std::string raw_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool own_word_ = false;
    bool after_apostrophe_ = false;
};

bool starts_own_word(std::string_view text, std::size_t at) {
    return class_of(next_code_point(text, at)) == Class::own_word;
}

// Ends of the dictionary's words within text[begin, end), as offsets into text.
std::vector<std::size_t> dictionary_ends(icu::BreakIterator& breaker, std::string_view text, std::size_t begin,
                                         std::size_t end) {
    UErrorCode error = U_ZERO_ERROR;
    UText* view = utext_openUTF8(nullptr, text.data() + begin, static_cast<std::int64_t>(end - begin), &error);
    breaker.setText(view, error);
    std::vector<std::size_t> ends;
    if (U_SUCCESS(error) != 0) {
        breaker.first();
        for (std::int32_t next = breaker.next(); next != icu::BreakIterator::DONE; next = breaker.next()) {
            ends.push_back(begin + static_cast<std::size_t>(next));
        }
    }
    utext_close(view);
    return ends;
}

std::unique_ptr<icu::BreakIterator> make_breaker() {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> breaker(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
    if (U_FAILURE(error) != 0) {
        throw std::runtime_error("ICU has no word break data");
    }
    return breaker;
}

}  // namespace

std::vector<Word> split_words(std::string_view text) {
    return Splitter(text).run();
}

std::vector<Word> segment_words(std::string_view text) {
    const std::vector<Word> characters = split_words(text);
    std::vector<Word> words;
    std::unique_ptr<icu::BreakIterator> breaker;
    for (std::size_t i = 0; i < characters.size();) {
        if (!starts_own_word(text, characters[i].begin)) {
            words.push_back(characters[i++]);
            continue;
        }
        std::size_t last = i;
        while (last + 1 < characters.size() && characters[last + 1].begin == characters[last].end &&
               starts_own_word(text, characters[last + 1].begin)) {
            ++last;
        }
        if (!breaker) {
            breaker = make_breaker();
        }
        const std::vector<std::size_t> ends =
            dictionary_ends(*breaker, text, characters[i].begin, characters[last].end);
        std::size_t next_end = 0;
        bool fresh = true;
        for (; i <= last; ++i) {
            if (fresh) {
                words.push_back(characters[i]);
            } else {
                words.back().text += characters[i].text;
                words.back().end = characters[i].end;
            }
            while (next_end < ends.size() && ends[next_end] < characters[i].end) {
                ++next_end;
            }
            fresh = next_end < ends.size() && ends[next_end] == characters[i].end;
        }
    }
    return words;
}

}  // namespace pasb
