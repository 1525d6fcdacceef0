#include "changes/changed_text.hpp"

#include <algorithm>
#include <unordered_map>

#include "model/utf8.hpp"

namespace pasb {
namespace {

std::string_view without_trailing_blanks(std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

// Lines with their ends.
template <typename Use>
void for_each_line(std::string_view text, Use use) {
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t newline = text.find('\n', begin);
        const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
        use(begin, text.substr(begin, end - begin));
        begin = end;
    }
}

}  // namespace

ByteSpan ChangedText::in_note(ByteSpan changed) const {
    const auto holds = [](const Piece& piece, std::size_t at) {
        return at >= piece.changed_begin && at < piece.changed_begin + piece.size;
    };
    if (changed.begin >= changed.end || pieces.empty()) {
        return {};
    }
    ByteSpan result;
    for (const Piece& piece : pieces) {
        if (holds(piece, changed.begin)) {
            result.begin = piece.note_begin + (changed.begin - piece.changed_begin);
        }
        if (holds(piece, changed.end - 1)) {
            result.end = piece.note_begin + (changed.end - piece.changed_begin);
        }
    }
    return result;
}

bool is_text(std::string_view bytes) {
    return bytes.find('\0') == std::string_view::npos && is_utf8(bytes);
}

std::optional<ChangedText> changed_text(std::string_view note, std::optional<std::string_view> baseline) {
    if (!is_text(note)) {
        return std::nullopt;
    }
    std::unordered_map<std::string_view, std::size_t> old_lines;
    if (baseline && is_text(*baseline)) {
        for_each_line(*baseline,
                      [&](std::size_t, std::string_view line) { ++old_lines[without_trailing_blanks(line)]; });
    }
    ChangedText result;
    for_each_line(note, [&](std::size_t begin, std::string_view line) {
        const auto old = old_lines.find(without_trailing_blanks(line));
        if (old != old_lines.end() && old->second > 0) {
            --old->second;
            return;
        }
        const bool continues =
            !result.pieces.empty() && result.pieces.back().note_begin + result.pieces.back().size == begin;
        if (continues) {
            result.pieces.back().size += line.size();
        } else {
            result.pieces.push_back({result.text.size(), begin, line.size()});
        }
        result.text += line;
    });
    return result;
}

}  // namespace pasb
