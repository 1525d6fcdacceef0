#include "changes/changed_text.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

std::string text_of(std::string_view note, std::optional<std::string_view> baseline) {
    const std::optional<ChangedText> changed = changed_text(note, baseline);
    return changed ? changed->text : "binary";
}

TEST(ChangedText, OnlyWhatTheBaselineLacks) {
    EXPECT_EQ(text_of("# User\n- likes tea\n", "# User\n"), "- likes tea\n");
    EXPECT_EQ(text_of("# User\r\n- likes tea", "# User\n"), "- likes tea");
    EXPECT_EQ(text_of("b\na\n", "a\nb\n"), "") << "moved lines are not new";
    EXPECT_EQ(text_of("a\na\n", "a\n"), "a\n") << "a second copy is new";
    EXPECT_EQ(text_of("a\n", std::nullopt), "a\n");
    EXPECT_EQ(text_of("a\n", "a\nb\n"), "");
}

TEST(ChangedText, BinaryIsNoText) {
    EXPECT_EQ(text_of(std::string_view("a\0b", 3), std::nullopt), "binary");
    EXPECT_EQ(text_of("caf\xe9", std::nullopt), "binary");
    EXPECT_EQ(text_of("new\n", "\xff\xff"), "new\n");
    EXPECT_EQ(text_of("", std::nullopt), "");
}

TEST(ChangedText, OffsetsLeadBackIntoTheNote) {
    const std::string note = "one\nTWO\nthree\nFOUR\n";
    const std::optional<ChangedText> changed = changed_text(note, "one\nthree\n");
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->text, "TWO\nFOUR\n");
    const auto in_note = [&](std::size_t begin, std::size_t end) {
        const ByteSpan span = changed->in_note({begin, end});
        return note.substr(span.begin, span.end - span.begin);
    };
    EXPECT_EQ(in_note(0, 3), "TWO");
    EXPECT_EQ(in_note(4, 8), "FOUR");
    EXPECT_EQ(in_note(1, 6), "WO\nthree\nFO");
    EXPECT_EQ(in_note(3, 3), "");
    EXPECT_EQ(changed->in_note({0, changed->text.size()}).end, note.size());
}

}  // namespace
}  // namespace pasb
