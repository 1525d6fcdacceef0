// The part of a note that the baseline does not hold. Works on lines; not a minimal edit script.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pasb {

struct ByteSpan {
    std::size_t begin = 0;  // byte offsets, end is exclusive
    std::size_t end = 0;
    bool operator==(const ByteSpan&) const = default;
};

struct ChangedText {
    struct Piece {
        std::size_t changed_begin = 0;  // where the piece stands in `text`
        std::size_t note_begin = 0;     // where it stands in the note
        std::size_t size = 0;
    };
    std::string text;           // the new lines, each with its line end
    std::vector<Piece> pieces;  // in order, covering `text`

    // From offsets into `text` to the smallest range of the note that holds them; unchanged lines in between are
    // included.
    [[nodiscard]] ByteSpan in_note(ByteSpan changed) const;
};

// Valid UTF-8 without NUL. Anything else is binary and holds no claim that could be read.
bool is_text(std::string_view bytes);

// A line is new unless the baseline has one like it (but for blanks at its end) not yet used up by an earlier line,
// wherever it stands: a template line that merely moved is not something the agent wrote. Without a baseline all lines
// are new. No value for binary notes; a binary baseline counts as absent.
std::optional<ChangedText> changed_text(std::string_view note, std::optional<std::string_view> baseline);

}  // namespace pasb
