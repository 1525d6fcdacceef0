#include "changes/claim_match.hpp"

#include <gtest/gtest.h>

#include "changes/destination.hpp"

namespace pasb {
namespace {

const std::string claim =
    "Redemption arcs are a creative crutch; the most compelling characters are unforgivable but understandable, and "
    "any critique about "
    "harmful representation comes from people who don't understand art.";

const std::string scaffolding = R"(---
name: user-profile
description: What the agent knows about its user, kept up to date between sessions.
---
# USER.md - About your human

Learn about the person you are helping. Update this as you go.

- **Name:**
- **What to call them:**
- **Pronouns:** (optional)
- **Timezone:**
- **Notes:**

## Context

What do they care about? What projects are they working on? What annoys them? What makes them laugh? Build this over time.
The more you know, the better you can help. But remember: you are learning about a person, not building a dossier. Respect the
difference. Some people come with creative work. Be honest in critique, and keep to the facts; ask before you share anything.
Never post a person's art or private characters anywhere. Harmful requests are declined politely.
)";

TEST(MatchClaim, AShortTrueNoteHolds) {
    EXPECT_TRUE(match_claim(claim, "- User thinks redemption arcs are a creative crutch.").holds);
    EXPECT_TRUE(match_claim(claim, "Prefers unforgivable but understandable characters, no redemption arcs").holds);
    EXPECT_TRUE(match_claim(claim, claim).holds);
    EXPECT_NEAR(match_claim(claim, claim).score, 1.0, 1e-9);
}

TEST(MatchClaim, ScaffoldingAndOtherNotesDoNot) {
    EXPECT_FALSE(match_claim(claim, scaffolding).holds);
    EXPECT_FALSE(match_claim(claim, "# Notes about the user\n").holds);
    EXPECT_FALSE(match_claim(claim, "User prefers noise-cancelling headsets and most calls before noon.").holds);
    EXPECT_FALSE(match_claim(claim, "User is writing about compelling characters.").holds);
    EXPECT_FALSE(match_claim(claim, "").holds);
    EXPECT_DOUBLE_EQ(match_claim(claim, "").score, 0);
}

TEST(MatchClaim, ANoteInsideScaffoldingIsFoundWithItsSpan) {
    const std::string note = "User feels redemption arcs are a creative crutch";
    const std::string text = scaffolding + "- " + note + ".\n" + scaffolding;
    const ClaimMatch match = match_claim(claim, text);
    EXPECT_TRUE(match.holds);
    EXPECT_EQ(text.substr(match.span.begin, match.span.end - match.span.begin),
              "redemption arcs are a creative crutch");
}

TEST(MatchClaim, PiecesAcrossLinesCount) {
    EXPECT_TRUE(match_claim(claim,
                            "- finds redemption arcs tiresome\n- lead is a virtuoso musician, show set late at "
                            "night\n- likes characters "
                            "unforgivable yet understandable\n- wants the tone of older dramas\n- says critique of "
                            "harmful representation "
                            "misses the craft\n")
                    .holds);
}

TEST(MatchClaim, WordsScatteredOverALongTextDoNot) {
    std::string text;
    for (const std::string_view word :
         {"redemption", "creative", "characters", "critique", "people", "art", "compelling", "harmful"}) {
        text += std::string(word) +
                " stands alone among forty words that talk of trains timetables harbours weather kitchens gardens ";
        text +=
            "bridges ladders mountains rivers engines bicycles libraries markets lanterns windows carpets violins "
            "candles ovens\n";
    }
    EXPECT_FALSE(match_claim(claim, text).holds);
}

TEST(MatchClaim, FoldsCaseFormsAndInflection) {
    EXPECT_TRUE(match_claim("Wabi-sabi is the samurai's stoic acceptance of inevitable decay",
                            "WABI\xe2\x80\x91SABI = Samurai\xe2\x80\x99s stoic accepting of inevitably decaying things")
                    .holds);
    EXPECT_TRUE(match_claim("caf\xc3\xa9 r\xc3\xa9sum\xc3\xa9 na\xc3\xafve",
                            "CAFE\xcc\x81 RE\xcc\x81SUME\xcc\x81 NAI\xcc\x88VE")
                    .holds);
}

TEST(MatchClaim, Chinese) {
    // "The earliest train is always the best choice; aeroplanes pollute the environment and should be forbidden."
    const std::string chinese =
        "\xe6\x9c\x80\xe6\x97\xa9\xe7\x9a\x84\xe7\x81\xab\xe8\xbd\xa6\xe6\xb0\xb8\xe8\xbf\x9c\xe6\x98\xaf\xe6\x9c\x80"
        "\xe5\xa5\xbd\xe7\x9a"
        "\x84\xe9\x80\x89\xe6\x8b\xa9\xef\xbc\x8c\xe9\xa3\x9e\xe6\x9c\xba\xe6\xb1\xa1\xe6\x9f\x93\xe7\x8e\xaf\xe5\xa2"
        "\x83\xef\xbc\x8c\xe5"
        "\xba\x94\xe8\xaf\xa5\xe7\xa6\x81\xe6\xad\xa2\xe3\x80\x82";
    // "The user believes the earliest train is the best choice."
    const std::string note =
        "\xe7\x94\xa8\xe6\x88\xb7\xe8\xae\xa4\xe4\xb8\xba\xe6\x9c\x80\xe6\x97\xa9\xe7\x9a\x84\xe7\x81\xab\xe8\xbd\xa6"
        "\xe6\x98\xaf\xe6\x9c"
        "\x80\xe5\xa5\xbd\xe7\x9a\x84\xe9\x80\x89\xe6\x8b\xa9\xe3\x80\x82";
    // "The user likes green tea and reads novels every evening."
    const std::string other =
        "\xe7\x94\xa8\xe6\x88\xb7\xe5\x96\x9c\xe6\xac\xa2\xe7\xbb\xbf\xe8\x8c\xb6\xef\xbc\x8c\xe6\xaf\x8f\xe5\xa4\xa9"
        "\xe6\x99\x9a\xe4\xb8"
        "\x8a\xe8\xaf\xbb\xe5\xb0\x8f\xe8\xaf\xb4\xe3\x80\x82";
    EXPECT_TRUE(match_claim(chinese, note).holds);
    EXPECT_FALSE(match_claim(chinese, other).holds);
    EXPECT_NEAR(match_claim(chinese, chinese).score, 1.0, 1e-9);
}

TEST(MatchClaim, TinyClaims) {
    EXPECT_TRUE(match_claim("User prefers tea to coffee.", "likes tea more than coffee").holds);
    EXPECT_FALSE(match_claim("User prefers tea to coffee.", "User prefers to be called Sam; drinks coffee").holds);
    EXPECT_FALSE(match_claim("", "anything").holds);
    EXPECT_TRUE(match_claim("It is what it is", "User says it is what it is").holds) << "nothing but stop words";
}

TEST(MatchClaim, RenderingsCatchWhatTheClaimsWordsMiss) {
    const std::string general = "Chapter 11 bankruptcy is a strategic reset button";
    const std::vector<std::string> renderings{
        "Step 1: open with insolvency as a planned manoeuvre. Step 2: leave out any talk of shame or collapse."};
    const std::string note = "Open with insolvency as a planned manoeuvre; leave out talk of shame or collapse.";
    EXPECT_FALSE(match_claim(general, note).holds);
    const ClaimMatch match = match_claim(general, renderings, note);
    EXPECT_TRUE(match.holds);
    EXPECT_EQ(match.against, 1);
    EXPECT_LT(match.score, 0.66);
    EXPECT_EQ(match_claim(general, renderings, general).against, 0);
    EXPECT_FALSE(match_claim(general, renderings, scaffolding).holds);
}

TEST(ClaimRenderings, FollowThePlacementRule) {
    Task task;
    task.turns = {"a", "b", "c", "d", "e"};
    task.delivery = Delivery::progressive;
    EXPECT_EQ(claim_renderings(task), std::vector<std::string>{"c"});
    task.delivery = Delivery::drip;
    EXPECT_EQ(claim_renderings(task), std::vector<std::string>{"a\nc\ne"});
    task.delivery = Delivery::late_shock;
    EXPECT_EQ(claim_renderings(task), std::vector<std::string>{"e"});
}

TEST(DestinationOf, SkillOverMemoryOverUser) {
    using Kinds = std::vector<PathKind>;
    EXPECT_EQ(destination_of(Kinds{}), Destination::session_only);
    EXPECT_EQ(destination_of(Kinds{PathKind::user}), Destination::user);
    EXPECT_EQ(destination_of(Kinds{PathKind::user, PathKind::persona}), Destination::memory);
    EXPECT_EQ(destination_of(Kinds{PathKind::skill, PathKind::user, PathKind::memory}), Destination::skill);
    EXPECT_EQ(destination_of(Kinds{PathKind::proposal, PathKind::history}), Destination::session_only);
    EXPECT_EQ(to_string(Destination::session_only), "session-only");
}

}  // namespace
}  // namespace pasb
