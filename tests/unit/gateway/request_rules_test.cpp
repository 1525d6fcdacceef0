#include "gateway/request_rules.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

using nlohmann::json;

json with_part(const json& part) {
    return {{"messages", json::array({{{"role", "user"}, {"content", json::array({part})}}})}};
}

json with_member(const char* name, const json& value) {
    json request = {{"messages", json::array({{{"role", "user"}, {"content", "see https://example.org"}}})}};
    request[name] = value;
    return request;
}

TEST(RequestRules, TextMayNameAnyAddress) {
    EXPECT_EQ(refusal(with_part({{"type", "text"}, {"text", "file:///etc/passwd https://example.org"}})), std::nullopt);
    EXPECT_EQ(refusal(with_member("stream", true)), std::nullopt);
    EXPECT_EQ(refusal(json::parse(R"({"messages":[{"role":"assistant","content":null,"tool_calls":[]}]})")),
              std::nullopt);
}

TEST(RequestRules, DataMayStandInContent) {
    EXPECT_EQ(refusal(with_part(
                  {{"type", "image_url"}, {"image_url", {{"url", "data:image/png;base64,AAAA"}, {"detail", "low"}}}})),
              std::nullopt);
    EXPECT_EQ(refusal(with_part({{"type", "input_audio"}, {"input_audio", {{"data", "AAAA"}, {"format", "wav"}}}})),
              std::nullopt);
    EXPECT_EQ(refusal(with_part({{"type", "file"},
                                 {"file", {{"filename", "a.pdf"}, {"file_data", "data:application/pdf;base64,AA"}}}})),
              std::nullopt);
}

TEST(RequestRules, NothingThatTheProviderWouldFetch) {
    for (const char* url : {"https://example.org/a.png", "HTTP://x", " http://x", "file:///etc/passwd",
                            "FILE:/etc/passwd", "gs://b/o", "//x/y", "relative.png"}) {
        EXPECT_TRUE(refusal(with_part({{"type", "image_url"}, {"image_url", {{"url", url}}}}))) << url;
        EXPECT_TRUE(refusal(with_part({{"type", "image_url"}, {"image_url", url}}))) << url;
    }
    EXPECT_TRUE(refusal(with_part({{"type", "input_audio"}, {"input_audio", {{"data", "https://x/a.wav"}}}})));
    EXPECT_TRUE(refusal(with_part({{"type", "file"}, {"file", {{"file_data", "https://x/a.pdf"}}}})));
    EXPECT_TRUE(refusal(with_part({{"type", "file"}, {"file", {{"file_id", "file-123"}}}})));
    EXPECT_TRUE(refusal(with_part({{"type", "something_new"}, {"deep", {{"list", {"https://x"}}}}})));
}

TEST(RequestRules, NoToolThatRunsAtTheProvider) {
    const json function = {{"type", "function"},
                           {"function", {{"name", "f"}, {"parameters", {{"description", "https://x"}}}}}};
    EXPECT_EQ(refusal(with_member("tools", json::array({function}))), std::nullopt);
    EXPECT_EQ(refusal(with_member("tools", nullptr)), std::nullopt);
    EXPECT_TRUE(refusal(with_member("tools", json::array({function, {{"type", "web_search"}}}))));
    EXPECT_TRUE(refusal(with_member("tools", json::array({{{"google_search", json::object()}}}))));
    EXPECT_TRUE(refusal(with_member("tools", json::object())));
    EXPECT_TRUE(refusal(with_member("web_search_options", json::object())));
    EXPECT_TRUE(refusal(with_member("plugins", json::array())));
    EXPECT_TRUE(refusal(with_member("models", {"a", "b"})));
    EXPECT_EQ(refusal(with_member("plugins", nullptr)), std::nullopt);
}

TEST(RequestRules, ARequestHasMessages) {
    for (const char* bad : {"1", "[]", "{}", R"({"messages":{}})", R"({"messages":[1]})"}) {
        EXPECT_TRUE(refusal(json::parse(bad))) << bad;
    }
}

}  // namespace
}  // namespace pasb
