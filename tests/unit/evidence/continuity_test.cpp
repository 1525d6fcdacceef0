#include "evidence/continuity.hpp"

#include <gtest/gtest.h>

#include "chat_builder.hpp"
#include "evidence/tools.hpp"

namespace pasb {
namespace {

using test::exchange;
using test::json;
using test::say;

const std::vector<TurnText> turns{
    {"My first word is here.", "Reply one."}, {"Second word.", "Reply two."}, {"Third word.", "Reply three."}};

std::vector<json> history(int turn) {
    std::vector<json> messages{say("system", "You are an agent.")};
    for (int k = 1; k <= turn; ++k) {
        messages.push_back(say("user", "[Mon 10:00] " + turns[static_cast<std::size_t>(k) - 1].user));
        if (k < turn) {
            messages.push_back(say("assistant", turns[static_cast<std::size_t>(k) - 1].agent));
        }
    }
    return messages;
}

std::vector<Exchange> whole_chat() {
    std::vector<Exchange> all;
    for (int k = 1; k <= 3; ++k) {
        all.push_back(exchange(Chat::first, k, history(k)));
    }
    return all;
}

TEST(Continuity, WholeChat) {
    const Continuity result = check_continuity(whole_chat(), Chat::first, turns);
    EXPECT_EQ(result.state, ContinuityState::ok) << result.missing;
    EXPECT_EQ(result.requests_checked, 3);
    EXPECT_EQ(result.turn, 0);
}

TEST(Continuity, ANewSessionEachTurnIsBroken) {
    std::vector<Exchange> all = whole_chat();
    all[1] = exchange(Chat::first, 2, {say("system", "You are an agent."), say("user", turns[1].user)});
    const Continuity result = check_continuity(all, Chat::first, turns);
    EXPECT_EQ(result.state, ContinuityState::broken);
    EXPECT_EQ(result.turn, 2);
    EXPECT_EQ(result.missing, "turn 1 user");
}

TEST(Continuity, AMissingReplyAndWrongOrderAreBroken) {
    std::vector<Exchange> all = whole_chat();
    all[2].request["messages"].erase(4);
    EXPECT_EQ(check_continuity(all, Chat::first, turns).missing, "turn 2 agent");
    all = whole_chat();
    std::swap(all[2].request["messages"][1], all[2].request["messages"][3]);
    EXPECT_EQ(check_continuity(all, Chat::first, turns).state, ContinuityState::broken);
}

TEST(Continuity, NoRequestForATurnIsUnknown) {
    std::vector<Exchange> all = whole_chat();
    all.erase(all.begin() + 1);
    const Continuity result = check_continuity(all, Chat::first, turns);
    EXPECT_EQ(result.state, ContinuityState::unknown);
    EXPECT_EQ(result.missing, "request of turn 2");
    EXPECT_EQ(check_continuity({}, Chat::first, turns).state, ContinuityState::unknown);
    EXPECT_EQ(check_continuity(whole_chat(), Chat::follow_up, turns).state, ContinuityState::unknown);
}

TEST(Continuity, RequestsThatNeverShowTheTurnAreBroken) {
    std::vector<Exchange> all = whole_chat();
    all[2] = exchange(Chat::first, 3, history(2));
    EXPECT_EQ(check_continuity(all, Chat::first, turns).missing, "turn 3 user");
}

TEST(Continuity, BackgroundWorkIsNotTheConversation) {
    std::vector<Exchange> all = whole_chat();
    Exchange review = exchange(Chat::first, 3, {say("user", "Review the conversation above.")});
    all.push_back(review);
    Exchange title = exchange(Chat::first, 3, {say("user", "Name this chat: Third word.")});
    title.request.erase("tools");
    title.tools_sha256 = "none";
    all.push_back(title);
    EXPECT_EQ(check_continuity(all, Chat::first, turns).state, ContinuityState::ok);
    EXPECT_EQ(check_continuity(all, Chat::first, turns).requests_checked, 3);
    EXPECT_EQ(tools_seen(all, turns, {}).sha256, "t1");
}

TEST(ToolsSeen, ListsThemWhenTheyChange) {
    std::vector<Exchange> all = whole_chat();
    all[2].tools_sha256 = "t2";
    EXPECT_EQ(tools_seen(all, turns, {}).sha256, "");
    EXPECT_EQ(tools_seen(all, turns, {}).all, (std::vector<std::string>{"t1", "t2"}));
}

TEST(MessagesOf, ReadsPartsAndSurvivesNonsense) {
    const json request =
        json::parse(R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"},"b"]},
        7,null,{"role":3,"content":{"x":1},"tool_calls":[1,{"function":{"name":"f","arguments":{"k":1}}}]}]})");
    const std::vector<Message> messages = messages_of(request);
    ASSERT_EQ(messages.size(), 4U);
    EXPECT_EQ(messages[0].text, "a\nb");
    ASSERT_EQ(messages[3].tool_calls.size(), 2U);
    EXPECT_EQ(messages[3].tool_calls[1].arguments, R"({"k":1})");
    EXPECT_TRUE(messages_of(json("x")).empty());
    EXPECT_EQ(answer_of(json::parse(R"({"choices":[]})")).text, "");
    EXPECT_EQ(answer_of(json()).text, "");
}

}  // namespace
}  // namespace pasb
