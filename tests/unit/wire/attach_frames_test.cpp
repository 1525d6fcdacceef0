#include "wire/attach_frames.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace pasb {
namespace {

std::string frame(char stream, std::string_view text) {
    const std::size_t size = text.size();
    std::string bytes{stream, 0, 0, 0};
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        bytes += static_cast<char>(size >> shift & 0xFFU);
    }
    return bytes.append(text);
}

TEST(AttachFrames, SeparatesTheStreams) {
    const AttachOutput output =
        parse_attach_frames(frame(1, "one ") + frame(2, "bad\n") + frame(1, "") + frame(1, "two"));
    EXPECT_EQ(output.out, "one two");
    EXPECT_EQ(output.err, "bad\n");
    EXPECT_EQ(output.end, AttachEnd::whole);
}

TEST(AttachFrames, TakesPiecesOfAnySize) {
    const std::string bytes = frame(1, "hello ") + frame(2, "warn\n") + frame(1, "") + frame(1, "caf\xE9\n");
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
        AttachFrames frames;
        for (std::size_t at = 0; at < bytes.size(); at += step) {
            EXPECT_TRUE(frames.feed(std::string_view(bytes).substr(at, step)));
        }
        EXPECT_EQ(frames.output().out, "hello caf\xE9\n") << step;
        EXPECT_EQ(frames.output().err, "warn\n") << step;
        EXPECT_EQ(frames.output().end, AttachEnd::whole) << step;
    }
}

TEST(AttachFrames, KeepsWhatCameBeforeACut) {
    const std::string bytes = frame(1, "whole") + frame(1, "partly");
    const AttachOutput in_header = parse_attach_frames(std::string_view(bytes).substr(0, 13 + 3));
    EXPECT_EQ(in_header.out, "whole");
    EXPECT_EQ(in_header.end, AttachEnd::cut);
    const AttachOutput in_frame = parse_attach_frames(std::string_view(bytes).substr(0, bytes.size() - 2));
    EXPECT_EQ(in_frame.out, "wholepart");
    EXPECT_EQ(in_frame.end, AttachEnd::cut);
}

TEST(AttachFrames, EndsAtAnAbsurdLength) {
    AttachFrames frames;
    EXPECT_FALSE(frames.feed(frame(1, "kept") + std::string("\1\0\0\0\xFF\xFF\xFF\xFFrest", 12)));
    EXPECT_FALSE(frames.feed(frame(1, "ignored")));
    EXPECT_EQ(frames.output().out, "kept");
    EXPECT_EQ(frames.output().end, AttachEnd::too_long);
}

TEST(AttachFrames, EndsAtRawText) {
    EXPECT_EQ(parse_attach_frames("plain text of a terminal").end, AttachEnd::not_framed);
    EXPECT_EQ(parse_attach_frames(std::string("\1\0\1\0\0\0\0\0", 8)).end, AttachEnd::not_framed);
}

TEST(AttachFrames, CountsWhatItDrops) {
    AttachFrames frames(6);
    frames.feed(frame(1, "1234") + frame(2, "5678") + frame(1, "9"));
    EXPECT_EQ(frames.output().out, "1234");
    EXPECT_EQ(frames.output().err, "56");
    EXPECT_EQ(frames.output().dropped, 3U);
    EXPECT_EQ(frames.output().end, AttachEnd::whole);
}

TEST(AttachFrames, ReadsTheFieldCase) {
    std::ifstream file(PASB_SOURCE_DIR "/../shared/field-cases/docker_mux.bin", std::ios::binary);
    if (!file) {
        GTEST_SKIP() << "needs ../shared/field-cases/docker_mux.bin";
    }
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const AttachOutput output = parse_attach_frames(bytes);
    EXPECT_EQ(output.out, "hello caf\xE9\n");
    EXPECT_EQ(output.err, "warn\n");
    EXPECT_EQ(output.end, AttachEnd::whole);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        EXPECT_TRUE(output.out.starts_with(parse_attach_frames(std::string_view(bytes).substr(0, cut)).out)) << cut;
    }
}

}  // namespace
}  // namespace pasb
