#include "wire/json_template.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;

TEST(FillText, ReplacesEachNameOnce) {
    const TemplateValues values{{"text", "say {{session}} \"quoted\""}, {"session", "s-1"}};
    EXPECT_EQ(fill_template("{{session}}: {{text}}/{{session}}", values), "s-1: say {{session}} \"quoted\"/s-1");
}

TEST(FillText, LeavesOtherBracesAlone) {
    const TemplateValues values{{"text", "T"}};
    EXPECT_EQ(fill_template("{text} {{}} {{other}} {{ {{text}} }} {{text", values),
              "{text} {{}} {{other}} {{ T }} {{text");
    EXPECT_EQ(fill_template("{{{text}}}", values), "{T}");
    EXPECT_EQ(fill_template("", values), "");
}

TEST(FillJson, FillsStringsAtAnyDepthAndNoKey) {
    const json body = {{"{{text}}", 1}, {"messages", {{{"content", "{{text}}"}, {"n", 2}}}}, {"stream", false}};
    const json filled = fill_json_template(body, {{"text", "hi \"you\"\n"}});
    EXPECT_EQ(filled.at("messages").at(0).at("content"), "hi \"you\"\n");
    EXPECT_EQ(filled.at("{{text}}"), 1);
    EXPECT_EQ(filled.at("stream"), false);
    EXPECT_EQ(fill_json_template("{{text}}", {{"text", "x"}}), "x");
}

TEST(Names, AreFoundInOrder) {
    EXPECT_EQ(template_names("{{run}}-{{x y}}{{run}}"), (std::vector<std::string>{"run", "x y", "run"}));
    EXPECT_EQ(json_template_names({{"a", {"{{text}}", 1, nullptr}}, {"b", "{{session}}"}}),
              (std::vector<std::string>{"text", "session"}));
}

TEST(ReplyText, FindsTheString) {
    const json answer = {{"choices", {{{"message", {{"content", "yes"}}}}}}};
    EXPECT_EQ(reply_text(answer, "/choices/0/message/content"), "yes");
    EXPECT_EQ(reply_text("bare", ""), "bare");
}

TEST(ReplyText, IsNothingWhenThereIsNoAnswer) {
    const json answer = {{"reply", " \n"}, {"list", {1}}, {"null", nullptr}, {"number", 7}};
    for (const char* pointer : {"/reply", "/absent", "/list", "/list/1", "/list/x", "/list/01", "/list/-", "/null",
                                "/number", "/number/deeper"}) {
        EXPECT_EQ(reply_text(answer, pointer), std::nullopt) << pointer;
    }
}

TEST(ReplyText, RefusesAPointerThatIsNone) {
    EXPECT_THROW(reply_text(json::object(), "reply"), InputError);
    EXPECT_THROW(reply_text(json::object(), "/a~2"), InputError);
}

}  // namespace
}  // namespace pasb
