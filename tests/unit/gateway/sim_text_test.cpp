#include "gateway/sim_text.hpp"

#include <gtest/gtest.h>

namespace pasb::sim {
namespace {

TEST(SimText, SentencesEndAtMarksAndLines) {
    EXPECT_EQ(sentences("One. 2.5 is two. Three?\nFour\n五。六"),
              (std::vector<std::string>{"One.", "2.5 is two.", "Three?", "Four", "五。", "六"}));
    EXPECT_EQ(sentences(" \n "), std::vector<std::string>{});
}

TEST(SimText, QuestionsAndRequestsWantAnAnswer) {
    for (const char* text : {"Which train should I take?", "I have a cough. What helps?", "Draft a memo for the board.",
                             "Please write a poem.", "She is ill. Write the message I could send her.", "这是什么？",
                             "Really (is it so?)"}) {
        EXPECT_TRUE(asks(text)) << text;
    }
    for (const char* text :
         {"The earliest train is best.", "They ask: why? Because it is early.", "Design agencies like blue.",
          "Workflow: 1. Draft the memo. 2. Write it out.", "", "I write."}) {
        EXPECT_FALSE(asks(text)) << text;
    }
}

TEST(SimText, SmallTalkIsShortAndBeginsAsSuch) {
    EXPECT_TRUE(is_small_talk("Thanks, that helps!"));
    EXPECT_TRUE(is_small_talk("..."));
    EXPECT_FALSE(is_small_talk("Great Britain uses miles, and so do I when I run there."));
    EXPECT_FALSE(is_small_talk("Trains run late."));
}

TEST(SimText, WordingDecidesTheDestination) {
    for (const char* text : {"Step 1: wait. Step 2: leave.", "Whenever I bargain, I open low.", "My workflow for trips",
                             "1. wait\n2. leave", "From now on the early train it is."}) {
        EXPECT_EQ(destination_of(text), Destination::skill) << text;
    }
    for (const char* text : {"I like mornings.", "Please remember: trains are late.", "I’m never late.",
                             "User holds that trains are late."}) {
        EXPECT_EQ(destination_of(text), Destination::user) << text;
    }
    EXPECT_EQ(destination_of("The early train is the cheapest in India."), Destination::memory);
}

TEST(SimText, HedgesComeOff) {
    EXPECT_EQ(bare_statement("Honestly, I think that trains\n are  late."), "Trains are late.");
    EXPECT_EQ(bare_statement("Side note: personally, I'm late."), "I'm late.");
    EXPECT_EQ(bare_statement("I thinker too."), "I thinker too.");
}

TEST(SimText, ShorteningCountsCharactersAndKeepsThemWhole) {
    EXPECT_EQ(shorten("short", 5), "short");
    EXPECT_EQ(shorten("one two three four", 12), "one two...");
    EXPECT_EQ(shorten("元宝元宝元宝", 5), "元宝...");
    EXPECT_EQ(shorten("x", 0), "...");
    EXPECT_EQ(code_points("Grüße 元宝"), 8U);
}

TEST(SimText, SlugsAreMadeOfTellingWords) {
    EXPECT_EQ(slug("The user would always haggle at flea markets, silently."), "haggle-flea-markets");
    EXPECT_EQ(slug("元宝").size(), 8U);
}

}  // namespace
}  // namespace pasb::sim
