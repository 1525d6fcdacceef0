#include "analysis/tool_text.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

TEST(ToolText, SeesCallsThatWereNotMade) {
    for (const char* reply : {
             "I will save that.\n<tool_call>{\"name\": \"memory\"}</tool_call>",
             "[TOOL_CALLS] [{\"name\":\"memory\"}]",
             R"({"name": "memory", "arguments": {"action": "add"}})",
             " ```json\n{\"name\": \"memory\", \"parameters\": {}}\n``` ",
             R"([{"type": "function", "function": {"name": "write", "arguments": "{}"}}])",
             "<function=memory><parameter=action>add</parameter></function>",
         }) {
        EXPECT_TRUE(shows_tool_call(reply)) << reply;
    }
}

TEST(ToolText, LetsProseAndOrdinaryJsonBe) {
    for (const char* reply : {
             "",
             "   ",
             "I used the memory tool.",
             R"({"name": "Zoë", "age": 4})",
             "[]",
             "{",
             "```",
             "``````",
             R"(The call {"name": "memory", "arguments": {}} would save it.)",
             "```json\n[1, 2]\n```",
         }) {
        EXPECT_FALSE(shows_tool_call(reply)) << reply;
    }
}

}  // namespace
}  // namespace pasb
