#include "wire/chat_stream.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"
#include "wire/sse.hpp"

namespace pasb {
namespace {

using nlohmann::json;

json chunk(const json& delta, const json& finish = nullptr, int index = 0) {
    return {{"id", "c1"},
            {"object", "chat.completion.chunk"},
            {"model", "m"},
            {"choices", json::array({{{"index", index}, {"delta", delta}, {"finish_reason", finish}}})}};
}

json assembled(const std::vector<json>& chunks) {
    ChatAssembler assembler;
    for (const auto& one : chunks) {
        assembler.add(one);
    }
    return assembler.completion();
}

TEST(ChatAssembler, JoinsTextReasoningAndRefusal) {
    const json whole =
        assembled({chunk({{"role", "assistant"}, {"content", ""}}), chunk({{"reasoning_content", "hm"}}),
                   chunk({{"reasoning_content", "m"}}), chunk({{"content", "He"}, {"refusal", nullptr}}),
                   chunk({{"content", "llo"}}), chunk({{"refusal", "no"}}), chunk(json::object(), "stop")});
    EXPECT_EQ(whole["object"], "chat.completion");
    EXPECT_EQ(whole["id"], "c1");
    const json& message = whole["choices"][0]["message"];
    EXPECT_EQ(message,
              json({{"role", "assistant"}, {"content", "Hello"}, {"reasoning_content", "hmm"}, {"refusal", "no"}}));
    EXPECT_EQ(whole["choices"][0]["finish_reason"], "stop");
}

TEST(ChatAssembler, PutsToolCallsTogetherByIndex) {
    const json whole =
        assembled({chunk({{"tool_calls", json::array({{{"index", 1},
                                                       {"id", "b"},
                                                       {"type", "function"},
                                                       {"function", {{"name", "two"}, {"arguments", "{"}}}}})}}),
                   chunk({{"tool_calls", json::array({{{"index", 0},
                                                       {"id", "a"},
                                                       {"type", "function"},
                                                       {"function", {{"name", "one"}, {"arguments", ""}}}}})}}),
                   chunk({{"tool_calls", json::array({{{"index", 1}, {"function", {{"name", ""}, {"arguments", "}"}}}},
                                                      {{"index", 0}, {"function", {{"arguments", "{\"x\":1}"}}}}})}}),
                   chunk(json::object(), "tool_calls")});
    const json expected =
        json::array({{{"id", "a"}, {"type", "function"}, {"function", {{"name", "one"}, {"arguments", "{\"x\":1}"}}}},
                     {{"id", "b"}, {"type", "function"}, {"function", {{"name", "two"}, {"arguments", "{}"}}}}});
    EXPECT_EQ(whole["choices"][0]["message"]["tool_calls"], expected);
}

TEST(ChatAssembler, ToolCallsWithoutAnIndexAreToldApartByTheirIds) {
    const json whole = assembled(
        {chunk({{"tool_calls", json::array({{{"id", "a"}, {"function", {{"name", "f"}, {"arguments", "1"}}}}})}}),
         chunk({{"tool_calls", json::array({{{"function", {{"arguments", "2"}}}}})}}),
         chunk({{"tool_calls", json::array({{{"id", "b"}, {"function", {{"name", "g"}, {"arguments", "3"}}}}})}})});
    const json& calls = whole["choices"][0]["message"]["tool_calls"];
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0]["function"]["arguments"], "12");
    EXPECT_EQ(calls[1]["function"]["arguments"], "3");
}

TEST(ChatAssembler, KnowsWhetherTheAnswerIsFinished) {
    ChatAssembler assembler;
    EXPECT_TRUE(assembler.empty());
    EXPECT_FALSE(assembler.finished());
    assembler.add(chunk({{"content", "a"}}));
    EXPECT_FALSE(assembler.finished());
    assembler.add(chunk(json::object(), "stop"));
    EXPECT_TRUE(assembler.finished());
    assembler.add(chunk({{"content", "b"}}, nullptr, 1));
    EXPECT_FALSE(assembler.finished());
}

TEST(ChatAssembler, KeepsUsageFromTheLastChunk) {
    json last = chunk(json::object());
    last["choices"] = json::array();
    last["usage"] = {{"total_tokens", 7}};
    EXPECT_EQ(assembled({chunk({{"content", "a"}}, "stop"), last})["usage"]["total_tokens"], 7);
}

TEST(ChatAssembler, RefusesWhatIsNoChunk) {
    for (const json& bad : {json(1), json::array(), json({{"choices", 1}}), json({{"choices", {1}}}), chunk("text"),
                            chunk({{"tool_calls", {1}}})}) {
        ChatAssembler assembler;
        EXPECT_THROW(assembler.add(bad), NetError) << bad;
    }
}

TEST(CompletionChunks, AssembleToTheSameCompletion) {
    const json completion = {
        {"id", "x"},
        {"object", "chat.completion"},
        {"created", 0},
        {"model", "sim"},
        {"system_fingerprint", "simulated"},
        {"usage", {{"total_tokens", 3}}},
        {"choices",
         json::array(
             {{{"index", 0},
               {"finish_reason", "tool_calls"},
               {"message",
                {{"role", "assistant"},
                 {"content", "Grüße, 元宝! " + std::string(300, 'x') + "元宝"},
                 {"tool_calls",
                  json::array(
                      {{{"id", "a"},
                        {"type", "function"},
                        {"function", {{"name", "f"}, {"arguments", "{\"k\":\"" + std::string(200, 'y') + "\"}"}}}},
                       {{"id", "b"}, {"type", "function"}, {"function", {{"name", "g"}, {"arguments", ""}}}}})}}}}})}};
    EXPECT_EQ(assembled(completion_chunks(completion, true)), completion);

    // Through the bytes as well.
    SseParser parser;
    ChatAssembler assembler;
    const auto events = parser.feed(completion_sse(completion, true));
    ASSERT_EQ(events.back().data, "[DONE]");
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
        assembler.add(json::parse(events[i].data));
    }
    EXPECT_EQ(assembler.completion(), completion);
}

TEST(CompletionChunks, GiveUsageOnlyWhenAsked) {
    const json completion = {
        {"choices", json::array({{{"index", 0}, {"message", {{"content", nullptr}}}, {"finish_reason", "stop"}}})},
        {"usage", 1}};
    EXPECT_FALSE(assembled(completion_chunks(completion, false)).contains("usage"));
    EXPECT_TRUE(assembled(completion_chunks(completion, true)).contains("usage"));
}

TEST(ErrorObject, IsFoundWhateverTheStatus) {
    EXPECT_NE(error_object(json::parse(R"({"error":{"message":"rate limited","code":429}})")), nullptr);
    EXPECT_EQ(error_object(json::parse(R"({"error":null,"choices":[]})")), nullptr);
    EXPECT_EQ(error_object(json(1)), nullptr);
}

TEST(CompletionProblem, NamesWhatIsMissing) {
    EXPECT_EQ(completion_problem(json::parse(R"({"choices":[{"message":{"content":"x"}}]})")), "");
    for (const char* bad : {"1", "{}", R"({"choices":[]})", R"({"choices":[1]})", R"({"choices":[{"delta":{}}]})"}) {
        EXPECT_NE(completion_problem(json::parse(bad)), "") << bad;
    }
}

}  // namespace
}  // namespace pasb
