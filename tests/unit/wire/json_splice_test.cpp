#include "wire/json_splice.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/errors.hpp"

namespace pasb {
namespace {

TEST(ReplaceMembers, LeavesEveryOtherByteAlone) {
    const std::string body =
        R"({ "tools":[{"z":1,"a":1.50,"e":"\u00e9\/"}], "model" : "x" ,"n": 12345678901234567890123, "stream":true})";
    const std::string out = replace_members(body, {{"model", R"("real")"}});
    EXPECT_NE(out.find(R"("tools":[{"z":1,"a":1.50,"e":"\u00e9\/"}])"), std::string::npos);
    EXPECT_NE(out.find(R"("n": 12345678901234567890123)"), std::string::npos);
    EXPECT_NE(out.find(R"("model" : "real")"), std::string::npos);
    EXPECT_TRUE(nlohmann::json::accept(out));
}

TEST(ReplaceMembers, AddsWhatIsMissingAndRemovesWhatHasNoValue) {
    EXPECT_EQ(replace_members("{}", {{"a", "1"}}), R"({"a":1})");
    EXPECT_EQ(replace_members(R"({"b":2})", {{"a", "1"}}), R"({"a":1,"b":2})");
    EXPECT_EQ(replace_members(R"({"a":1,"b":2,"c":3})", {{"b", std::nullopt}}), R"({"a":1,"c":3})");
    EXPECT_EQ(replace_members(R"({"a":1})", {{"a", std::nullopt}}), "{}");
    EXPECT_EQ(replace_members(R"({"a":1})", {{"b", std::nullopt}}), R"({"a":1})");
}

TEST(ReplaceMembers, TakesOnlyTheTopLevel) {
    const std::string body = R"({"messages":[{"model":"inner","s":"a } ] , \" \"model\":"}],"model":"outer"})";
    EXPECT_EQ(replace_members(body, {{"model", "0"}}),
              R"({"messages":[{"model":"inner","s":"a } ] , \" \"model\":"}],"model":0})");
}

TEST(ReplaceMembers, SeesThroughEscapedNamesAndRefusesDoubles) {
    EXPECT_EQ(replace_members(R"({"\u006dodel":"x"})", {{"model", "1"}}), R"({"\u006dodel":1})");
    EXPECT_THROW(replace_members(R"({"model":1,"\u006dodel":2})", {{"model", "1"}}), InputError);
}

TEST(NestingDepth, CountsBracketsOutsideStrings) {
    EXPECT_EQ(nesting_depth(""), 0U);
    EXPECT_EQ(nesting_depth(R"({"a":[{"b":"[[[["}]})"), 3U);
    EXPECT_EQ(nesting_depth("]]]][["), 2U);
    EXPECT_EQ(nesting_depth("\"unended [["), 0U);
    EXPECT_EQ(nesting_depth(std::string(100'000, '[')), 100'000U);
}

}  // namespace
}  // namespace pasb
