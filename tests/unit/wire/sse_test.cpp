#include "wire/sse.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"

namespace pasb {
namespace {

std::vector<std::string> data_of(const std::vector<SseEvent>& events) {
    std::vector<std::string> data;
    for (const auto& event : events) {
        data.push_back(event.data);
    }
    return data;
}

// Reads `bytes` in pieces of `step` and returns all events, those at the end included.
std::vector<std::string> read(std::string_view bytes, std::size_t step, bool finish = false) {
    SseParser parser;
    std::vector<SseEvent> all;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        for (auto& event : parser.feed(bytes.substr(at, step))) {
            all.push_back(std::move(event));
        }
    }
    if (finish) {
        for (auto& event : parser.finish()) {
            all.push_back(std::move(event));
        }
    }
    return data_of(all);
}

using Data = std::vector<std::string>;

TEST(Sse, EveryLineEndMeansTheSameWhereverTheBytesAreSplit) {
    const Data expected{"one", "two\nlines", ""};
    for (const std::string end : {"\n", "\r", "\r\n"}) {
        const std::string bytes = "data: one" + end + end + ": a comment" + end + "data:two" + end + "data: lines" +
                                  end + end + "data" + end + end;
        for (std::size_t step = 1; step <= bytes.size(); ++step) {
            EXPECT_EQ(read(bytes + "x", step), expected) << "step " << step;
        }
    }
}

TEST(Sse, ByteOrderMarkOnlyCountsAtTheStart) {
    EXPECT_EQ(read("\xEF\xBB\xBF"
                   "data: a\n\n",
                   1),
              Data{"a"});
    EXPECT_EQ(read("data: a\n\n\xEF\xBB\xBF"
                   "data: b\n\n",
                   3),
              Data{"a"});
}

TEST(Sse, OneSpaceAfterTheColonBelongsToTheSyntax) {
    EXPECT_EQ(read("data:  two spaces\n\n", 5), Data{" two spaces"});
}

TEST(Sse, UnknownFieldsAndEventsWithoutDataAreSkipped) {
    EXPECT_EQ(read("id: 7\nretry: 10\nevent: ping\n\ndatabase: no\n\ndata: yes\n\n", 4), Data{"yes"});
}

TEST(Sse, NamesTheEvent) {
    SseParser parser;
    const auto events = parser.feed("event: error\ndata: x\n\ndata: y\n\n");
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].name, "error");
    EXPECT_EQ(events[1].name, "");
}

TEST(Sse, AnEventWithoutItsBlankLineComesOutAtTheEnd) {
    EXPECT_EQ(read("data: [DONE]", 3), Data{});
    EXPECT_EQ(read("data: [DONE]", 3, true), Data{"[DONE]"});
    EXPECT_EQ(read("data: [DONE]\n", 3, true), Data{"[DONE]"});
    EXPECT_EQ(read("data: [DONE]\n\n", 3, true), Data{"[DONE]"});
}

TEST(Sse, AnEndlessEventIsAProtocolError) {
    SseParser parser(64);
    EXPECT_THROW(parser.feed("data: " + std::string(100, 'x')), NetError);
    SseParser lines(64);
    EXPECT_THROW(
        {
            for (int i = 0; i < 100; ++i) {
                lines.feed("data: x\n");
            }
        },
        NetError);
}

TEST(Sse, WhatIsWrittenReadsBackTheSame) {
    for (const SseEvent& event :
         {SseEvent{"", "plain"}, SseEvent{"error", "two\nlines"}, SseEvent{"", ""}, SseEvent{"", "end\n"}}) {
        SseParser parser;
        const auto events = parser.feed(sse_text(event));
        ASSERT_EQ(events.size(), 1U);
        EXPECT_EQ(events[0].name, event.name);
        EXPECT_EQ(events[0].data, event.data);
    }
}

}  // namespace
}  // namespace pasb
