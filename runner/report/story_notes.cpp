#include "report/story_notes.hpp"

#include <algorithm>

#include "changes/changed_text.hpp"
#include "model/bytes.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr std::size_t kept_bytes = 60000;  // of one text; a record may hold megabytes

// Whether the line that begins at `at` is one that the baseline does not have.
bool is_new(const ChangedText& changed, std::size_t at) {
    return std::any_of(changed.pieces.begin(), changed.pieces.end(), [&](const ChangedText::Piece& piece) {
        return at >= piece.note_begin && at < piece.note_begin + piece.size;
    });
}

// A line's text in parts [text, in the claim's span].
json parts_of(const std::string& text, std::size_t begin, std::size_t end, ByteSpan span) {
    json parts = json::array();
    const auto add = [&](std::size_t from, std::size_t to, bool marked) {
        if (from < to) {
            parts.push_back({to_utf8(std::string_view(text).substr(from, to - from)), marked});
        }
    };
    const std::size_t span_begin = std::clamp(span.begin, begin, end);
    const std::size_t span_end = std::clamp(span.end, span_begin, end);
    add(begin, span_begin, false);
    add(span_begin, span_end, true);
    add(span_end, end, false);
    return parts;
}

// [mark, parts] a line; the mark is "+" new, " " as in the baseline, "?" not known.
json lines_of(const NoteRecord& note, const std::optional<ChangedText>& changed) {
    json lines = json::array();
    const ByteSpan span = note.holds_claim ? ByteSpan{note.span_begin, note.span_end} : ByteSpan{};
    const std::size_t size = std::min(note.text.size(), kept_bytes);
    for (std::size_t begin = 0; begin < size;) {
        const std::size_t newline = note.text.find('\n', begin);
        const std::size_t end = std::min(newline == std::string::npos ? size : newline, size);
        const char* const mark = !changed ? "?" : is_new(*changed, begin) ? "+" : " ";
        lines.push_back({mark, parts_of(note.text, begin, end, span)});
        begin = end + 1;
    }
    return lines;
}

// Lines of the baseline that the note no longer has.
json removed_lines(const NoteRecord& note, const std::string& before) {
    json lines = json::array();
    const std::optional<ChangedText> gone = changed_text(before, note.text);
    std::string_view left = gone ? std::string_view(gone->text).substr(0, kept_bytes) : std::string_view();
    while (!left.empty()) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        lines.push_back(to_utf8(left.substr(0, end)));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return lines;
}

const std::string* text_before(const NoteRecord& note, const BaselineTexts* baseline) {
    if (baseline == nullptr) {
        return nullptr;
    }
    const auto found = baseline->find(note.path);
    return found == baseline->end() ? nullptr : &found->second;
}

json story_note(const NoteRecord& note, const BaselineTexts* baseline) {
    json value{{"path", to_utf8(note.path)},
               {"kind", to_string(note.kind)},
               {"change", to_string(note.change)},
               {"sha256", note.sha256},
               {"holds_claim", note.holds_claim},
               {"score", note.score},
               {"lines", json::array()},
               {"removed", json::array()},
               {"more_bytes", note.text.size() - std::min(note.text.size(), kept_bytes)}};
    if (note.change == ChangeType::deleted) {
        value["diff"] = "deleted";
    } else if (!is_text(note.text)) {
        value["diff"] = "binary";
    } else if (note.change == ChangeType::added) {
        value["diff"] = "all-new";
        value["lines"] = lines_of(note, changed_text(note.text, std::nullopt));
    } else if (note.change == ChangeType::renamed) {
        value["diff"] = "renamed";
        value["lines"] = lines_of(note, ChangedText());
    } else if (const std::string* const before = text_before(note, baseline)) {
        value["diff"] = "against-baseline";
        value["lines"] = lines_of(note, changed_text(note.text, *before));
        value["removed"] = removed_lines(note, *before);
    } else {
        value["diff"] = "unknown";
        value["lines"] = lines_of(note, std::nullopt);
    }
    return value;
}

}  // namespace

std::string story_text(const std::string& text) {
    if (text.size() <= kept_bytes) {
        return to_utf8(text);
    }
    return to_utf8(text.substr(0, kept_bytes)) + "\n(" + std::to_string(text.size() - kept_bytes) +
           " more bytes: see the record)";
}

json story_notes(const Record& record, const BaselineTexts* baseline) {
    json notes = json::array();
    for (const NoteRecord& note : record.notes) {
        notes.push_back(story_note(note, baseline));
    }
    return notes;
}

}  // namespace pasb
