#include "model/bytes.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"

namespace pasb {
namespace {

TEST(Bytes, Base64KeepsEveryByteAtEveryLength) {
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        EXPECT_EQ(from_base64(base64(bytes)), bytes);
        bytes += static_cast<char>(i * 7);
    }
    EXPECT_EQ(base64("foob"), "Zm9vYg==");
}

TEST(Bytes, Base64RefusesWhatItCannotHaveWritten) {
    for (const char* text : {"a", "====", "Zm9=Yg==", "Zm9v!g==", "Z===", "=m9v"}) {
        EXPECT_THROW(from_base64(text), InputError) << text;
    }
}

TEST(Bytes, TextThatIsNotUtf8IsKeptExactlyBesideItsReplacement) {
    const std::string bytes = "caf\xe9\x00x";
    nlohmann::json object;
    put_bytes(object, "path", std::string_view("caf\xe9\0x", 6));
    EXPECT_EQ(object.at("path"), std::string("caf\xEF\xBF\xBD\0x", 8));
    EXPECT_EQ(get_bytes(object, "path"), std::string("caf\xe9\0x", 6));
    EXPECT_NO_THROW(object.dump());
}

TEST(Bytes, PlainTextHasNoSecondKey) {
    nlohmann::json object;
    put_bytes(object, "path", "Zo\xc3\xab.md");
    EXPECT_EQ(object.size(), 1U);
    EXPECT_EQ(get_bytes(object, "path"), "Zo\xc3\xab.md");
}

TEST(Bytes, TerminalTextShowsWhatWouldSteerATerminal) {
    EXPECT_EQ(terminal_text("a\x1b[31mb\nc\td"), "a\\u{1B}[31mb\nc\td");
    EXPECT_EQ(terminal_text("\xe2\x80\xae"
                            "evil"),
              "\\u{202E}evil");
    EXPECT_EQ(terminal_text("\xff"), "\\xFF");
    EXPECT_EQ(terminal_text("caf\xc3\xa9"), "caf\xc3\xa9");
}

}  // namespace
}  // namespace pasb
