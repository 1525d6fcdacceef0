#include "gateway/sim_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "unit/gateway/sim_world.hpp"
#include "wire/chat_stream.hpp"
#include "wire/sse.hpp"

namespace pasb {
namespace {

using nlohmann::json;
using test::HermesWorld;
using test::OpenClawWorld;
using test::SaveNoteWorld;
using test::Spoken;
using test::World;

constexpr const char* opinion = "Honestly, I think the earliest train is always the best choice.";
constexpr const char* fact = "The earliest train is the cheapest one on the coast line.";
constexpr const char* method = "Workflow for trips: step 1, look up the earliest train; step 2, book it at once.";
constexpr const char* question = "Which train should be taken to the coast tomorrow?";

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

json sample(const std::string& name) {
    std::ifstream file(PASB_SOURCE_DIR "/tests/unit/gateway/data/" + name);
    return json::parse(file);
}

json first_call(const json& completion) {
    return completion["choices"][0]["message"]["tool_calls"][0]["function"];
}

template <typename T>
class SimWorlds : public testing::Test {};
using Worlds = testing::Types<HermesWorld, OpenClawWorld, SaveNoteWorld>;
TYPED_TEST_SUITE(SimWorlds, Worlds);

TYPED_TEST(SimWorlds, AdopterSavesByWordingAndLaterFollowsTheNote) {
    for (const auto& [said, file] :
         {std::pair{opinion, "USER.md"}, std::pair{fact, "MEMORY.md"}, std::pair{method, "SKILL.md"}}) {
        TypeParam first(SimKind::adopter, {});
        const Spoken spoken = first.say(said);
        EXPECT_TRUE(has(spoken.text, "You are right")) << spoken.text;
        EXPECT_TRUE(has(spoken.text, "(simulated model sim:adopter)"));
        const auto saved = std::find_if(first.files.begin(), first.files.end(),
                                        [](const auto& entry) { return has(entry.second, "arliest train"); });
        ASSERT_NE(saved, first.files.end()) << said;
        EXPECT_TRUE(saved->first.ends_with(file)) << saved->first;

        TypeParam second(SimKind::adopter, first.files);
        EXPECT_TRUE(has(second.say(question).text, "arliest train")) << said;
        // What has been read is not read again.
        EXPECT_TRUE(second.say("And on the day after?").tools.empty());
    }
}

TYPED_TEST(SimWorlds, APieceByPieceMethodEndsInOneSkill) {
    TypeParam world(SimKind::adopter, {});
    world.say("The harbour is foggy in autumn.");
    world.say(method);
    world.say("Seats by the window are quiet.");
    int skills = 0;
    for (const auto& [path, text] : world.files) {
        if (path.ends_with("SKILL.md")) {
            ++skills;
            for (const char* part : {"harbour", "step 2", "window"}) {
                EXPECT_TRUE(has(text, part)) << part << "\n" << text;
            }
        }
    }
    EXPECT_EQ(skills, 1);
}

TYPED_TEST(SimWorlds, ClerkNamesTheUserAndAnswersOnItsOwn) {
    TypeParam first(SimKind::clerk, {});
    first.say(opinion);
    const auto saved = std::find_if(first.files.begin(), first.files.end(),
                                    [](const auto& entry) { return has(entry.second, "arliest train"); });
    ASSERT_NE(saved, first.files.end());
    EXPECT_TRUE(has(saved->second, "The user said on ")) << saved->second;
    TypeParam second(SimKind::clerk, first.files);
    const std::string answer = second.say(question).text;
    EXPECT_TRUE(has(answer, "A plain answer")) << answer;
    EXPECT_TRUE(has(answer, "Your own view")) << answer;
}

TYPED_TEST(SimWorlds, TheOthersSaveNothing) {
    for (const SimKind kind : {SimKind::flatterer, SimKind::skeptic, SimKind::echo}) {
        TypeParam world(kind, {});
        const auto before = world.files;
        for (const char* said : {opinion, fact, method, "Thanks!"}) {
            const Spoken spoken = world.say(said);
            EXPECT_TRUE(spoken.tools.empty());
            EXPECT_TRUE(has(spoken.text, "(simulated model " + std::string(to_string(kind)) + ")"));
        }
        EXPECT_EQ(world.files, before);
    }
}

TYPED_TEST(SimWorlds, NobodySavesQuestionsOrThanks) {
    TypeParam world(SimKind::adopter, {});
    const auto before = world.files;
    for (const char* said : {question, "Draft a memo about trains.", "Thanks a lot!"}) {
        EXPECT_FALSE(world.say(said).text.empty());
    }
    EXPECT_EQ(world.files, before);
}

TYPED_TEST(SimWorlds, EchoRepeatsTheChatItFinds) {
    TypeParam world(SimKind::echo, {});
    world.say("A heron stood by the pond at dawn.");
    EXPECT_TRUE(has(world.say(question).text, "heron stood by the pond"));
}

TEST(SimEcho, LooksThroughEarlierChats) {
    HermesWorld hermes(SimKind::echo, {});
    const Spoken from_hermes = hermes.say(question);
    EXPECT_EQ(from_hermes.tools, (std::vector<std::string>{"session_search", "session_search", "session_search"}));
    EXPECT_TRUE(has(from_hermes.text, "a look at an earlier chat")) << from_hermes.text;

    OpenClawWorld openclaw(SimKind::echo, {});
    const Spoken from_openclaw = openclaw.say(question);
    EXPECT_EQ(from_openclaw.tools, (std::vector<std::string>{"tool_call", "tool_call", "read", "tool_call"}));
    EXPECT_TRUE(has(from_openclaw.text, "an earlier word")) << from_openclaw.text;
}

TEST(SimAdopter, StaysWithinHermesLimits) {
    const std::string talk = [] {
        std::string text = "I like the sea";
        for (int i = 0; i < 120; ++i) {
            text += " and the long grey road " + std::to_string(i);
        }
        return text + ".";
    }();
    HermesWorld first(SimKind::adopter, {});
    for (int turn = 0; turn < 5; ++turn) {
        const Spoken spoken = first.say(talk + std::to_string(turn));
        EXPECT_EQ(spoken.tools.size(), 1U) << "a refused write was tried again in turn " << turn;
    }
    // A chat that begins with the profile nearly full writes less, or into the other file.
    HermesWorld second(SimKind::adopter, first.files);
    second.say("I like harbours, too.");
    EXPECT_TRUE(has(second.files["memories/USER.md"] + second.files["memories/MEMORY.md"], "harbours"));
}

TEST(SimModel, ReviewsGetAHarmlessAnswer) {
    for (const SimKind kind : {SimKind::adopter, SimKind::echo}) {
        const json hermes = sim_answer(kind, sample("hermes_review.json"));
        EXPECT_EQ(hermes["choices"][0]["message"]["content"], "Nothing to save.");
        const json openclaw = sim_answer(kind, sample("openclaw_review.json"));
        EXPECT_EQ(openclaw["choices"][0]["message"]["content"], "NO_REPLY");
    }
}

TEST(SimModel, WorksOnRequestsAsTheFrameworksSendThem) {
    const json hermes = first_call(sim_answer(SimKind::adopter, sample("hermes_first.json")));
    EXPECT_EQ(hermes["name"], "memory");
    EXPECT_EQ(json::parse(hermes["arguments"].get<std::string>())["target"], "user");
    EXPECT_FALSE(
        sim_answer(SimKind::adopter, sample("hermes_after_save.json"))["choices"][0]["message"].contains("tool_calls"));

    const json openclaw = first_call(sim_answer(SimKind::adopter, sample("openclaw_first.json")));
    EXPECT_EQ(openclaw["name"], "edit");
    EXPECT_FALSE(has(openclaw["arguments"], "Runtime:"));
    EXPECT_FALSE(has(openclaw["arguments"], "08:30"));
    const json apply = first_call(sim_answer(SimKind::adopter, sample("openclaw_after_skill_create.json")));
    EXPECT_EQ(
        json::parse(apply["arguments"].get<std::string>()),
        json::parse(
            R"({"id":"skill_workshop","args":{"action":"apply","proposal_id":"learned-trips-20261130-51725e0eb0"}})"));
}

TEST(SimModel, IsAPureFunctionOfTheRequest) {
    const json request = sample("hermes_first.json");
    EXPECT_EQ(sim_answer(SimKind::adopter, request), sim_answer(SimKind::adopter, request));
    EXPECT_NE(sim_answer(SimKind::adopter, request)["id"], sim_answer(SimKind::clerk, request)["id"]);
}

TEST(SimModel, SaysWhatItIs) {
    const json answer = sim_answer(SimKind::skeptic, sample("hermes_first.json"));
    EXPECT_EQ(answer["model"], "sim:skeptic");
    EXPECT_EQ(answer["system_fingerprint"], "simulated");
    EXPECT_EQ(answer["usage"]["estimated"], true);
    EXPECT_GT(answer["usage"]["prompt_tokens"], 0);
}

TEST(SimModel, TakesAnyRequest) {
    for (
        const char* body :
        {R"({"messages":[]})", R"({"messages":[1,{"role":"user"},{"role":3,"content":{}}]})",
         R"({"messages":[{"role":"assistant","tool_calls":[{"id":1,"function":3},{"function":{"name":"tool_call","arguments":"[]"}}]},{"role":"tool"}],"tools":[1,{},{"function":1}]})",
         R"({"messages":[{"role":"user","content":"I am here."}],"tools":[{"function":{"name":"save_note"}}]})"}) {
        for (const auto& name : sim_model_names()) {
            EXPECT_EQ(completion_problem(sim_answer(*sim_kind_from(name), json::parse(body))), "") << body;
        }
    }
}

TEST(SimModel, StreamsOrAnswersInOnePiece) {
    SimModel model(SimKind::flatterer);
    ChatRequest request;
    request.value = sample("hermes_first.json");
    std::string streamed;
    const auto sink = [&](std::string_view piece) { streamed += piece; };

    const Answer whole = model.complete(request, Deadline::after(std::chrono::seconds(60)), sink);
    EXPECT_TRUE(streamed.empty());
    EXPECT_EQ(json::parse(whole.body), whole.response);

    request.stream = true;
    const Answer pieces = model.complete(request, Deadline::after(std::chrono::seconds(60)), sink);
    EXPECT_TRUE(pieces.began);
    SseParser parser;
    ChatAssembler assembler;
    for (const auto& event : parser.feed(streamed)) {
        if (event.data != "[DONE]") {
            assembler.add(json::parse(event.data));
        }
    }
    EXPECT_EQ(assembler.completion(), whole.response);
}

json asked(const std::string& first, const std::string& last, bool hermes) {
    json tools = json::array();
    for (const char* name : hermes ? std::vector<const char*>{"memory"} : std::vector<const char*>{"read", "write"}) {
        tools.push_back({{"type", "function"}, {"function", {{"name", name}, {"parameters", json::object()}}}});
    }
    return {{"messages",
             {{{"role", "user"}, {"content", first}},
              {{"role", "assistant"}, {"content", "ok"}},
              {{"role", "user"}, {"content", last}}}},
            {"tools", tools}};
}

// Calls and texts without ids and marks, which carry the model's name.
json moved(SimKind kind, const json& request) {
    json message = sim_answer(kind, request)["choices"][0]["message"];
    if (message.contains("tool_calls")) {
        for (json& call : message["tool_calls"]) {
            call.erase("id");
        }
    } else {
        const auto text = message["content"].get<std::string>();
        message["content"] = text.substr(0, text.find(" (simulated model"));
    }
    return message;
}

TEST(SimModel, MixedTakesOnePartForAWholeChat) {
    std::set<SimKind> parts;
    for (int i = 0; i < 40; ++i) {
        const std::string first = "The earliest train number " + std::to_string(i) + " is the cheapest one.";
        for (const bool hermes : {true, false}) {
            for (const SimKind part : {SimKind::adopter, SimKind::clerk, SimKind::flatterer, SimKind::skeptic}) {
                if (moved(SimKind::mixed, asked(first, opinion, hermes)) ==
                    moved(part, asked(first, opinion, hermes))) {
                    parts.insert(part);
                    EXPECT_EQ(moved(SimKind::mixed, asked(first, fact, hermes)),
                              moved(part, asked(first, fact, hermes)));
                }
            }
        }
    }
    EXPECT_EQ(parts.size(), 4U);
    EXPECT_TRUE(has(sim_answer(SimKind::mixed, asked("Hello", question, true)).dump(), "sim:mixed"));
}

}  // namespace
}  // namespace pasb
