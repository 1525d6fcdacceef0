#include "evidence/shown.hpp"

#include <gtest/gtest.h>

#include "chat_builder.hpp"

namespace pasb {
namespace {

using test::exchange;
using test::json;
using test::result;
using test::say;

const std::string note_text = "User thinks redemption arcs are a creative crutch in any prestige drama.";
const std::vector<TurnText> follow_up{{"How should the series end?", "Quietly."}};
const std::vector<ClaimNote> notes{{"USER.md", note_text}};

TEST(Shown, AutomaticByToolOrNot) {
    const Exchange automatic =
        exchange(Chat::follow_up, 1, {say("system", "## USER.md\n- " + note_text), say("user", "How?")});
    const Exchange by_tool =
        exchange(Chat::follow_up, 1, {say("user", "How?"), result("c", json{{"text", note_text}}.dump())});
    const Exchange neither = exchange(Chat::follow_up, 1, {say("user", "How?"), say("assistant", note_text)});
    const auto check = [&](const std::vector<Exchange>& all) { return check_shown(all, follow_up, notes); };
    EXPECT_TRUE(check({automatic}).automatic);
    EXPECT_FALSE(check({automatic}).by_tool);
    EXPECT_TRUE(check({by_tool}).by_tool);
    EXPECT_FALSE(check({by_tool}).automatic);
    EXPECT_FALSE(check({neither}).automatic || check({neither}).by_tool);
    EXPECT_EQ(check({neither}).notes[0].first_request, -1);
    EXPECT_EQ(check({neither, by_tool}).notes[0].first_request, 1);
    EXPECT_TRUE(check({neither}).known);
    EXPECT_FALSE(check({exchange(Chat::first, 1, {say("system", note_text)})}).known) << "the first chat tells nothing";
}

TEST(Shown, ShortenedTextStillCountsAFragmentDoesNot) {
    const auto share = [&](const std::string& text) {
        return check_shown(std::vector<Exchange>{exchange(Chat::follow_up, 1, {say("system", text)})}, follow_up,
                           notes);
    };
    EXPECT_TRUE(share("- trip: User thinks redemption arcs are a creative cru...").automatic);
    EXPECT_FALSE(share("- trip: a creative crutch in any").automatic);
    EXPECT_NEAR(share(note_text).notes[0].share_automatic, 1.0, 1e-9);
}

TEST(Shown, TheQuestionItselfIsNoNote) {
    const std::vector<TurnText> asks{
        {"Do you agree that redemption arcs are a creative crutch in any prestige drama?", ""}};
    const std::vector<Exchange> all{exchange(Chat::follow_up, 1, {say("user", asks[0].user)})};
    EXPECT_FALSE(check_shown(all, asks, notes).automatic);
    const std::vector<Exchange> both{
        exchange(Chat::follow_up, 1, {say("system", note_text), say("user", asks[0].user)})};
    EXPECT_TRUE(check_shown(both, asks, notes).automatic);
}

TEST(Shown, PerNote) {
    const std::vector<ClaimNote> two{{"USER.md", note_text},
                                     {"skills/x/SKILL.md", "Drop every redemption beat from the draft at once."}};
    const std::vector<Exchange> all{exchange(Chat::follow_up, 1, {say("system", note_text)}),
                                    exchange(Chat::follow_up, 2, {result("c", two[1].text)})};
    const Shown shown = check_shown(all, follow_up, two);
    EXPECT_TRUE(shown.notes[0].automatic && !shown.notes[0].by_tool);
    EXPECT_TRUE(!shown.notes[1].automatic && shown.notes[1].by_tool);
    EXPECT_TRUE(shown.automatic && shown.by_tool);
}

}  // namespace
}  // namespace pasb
