// Short-hand for recorded exchanges in tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/exchange.hpp"

namespace pasb::test {

using nlohmann::json;

inline json say(const std::string& role, const std::string& content) {
    return {{"role", role}, {"content", content}};
}

inline json call(const std::string& id, const std::string& name, const json& arguments) {
    return {
        {"role", "assistant"},
        {"content", ""},
        {"tool_calls",
         json::array(
             {{{"id", id}, {"type", "function"}, {"function", {{"name", name}, {"arguments", arguments.dump()}}}}})}};
}

inline json result(const std::string& id, const std::string& content) {
    return {{"role", "tool"}, {"tool_call_id", id}, {"content", content}};
}

inline Exchange exchange(Chat chat, int turn, const std::vector<json>& messages,
                         const json& answer = say("assistant", "Fine.")) {
    Exchange made;
    made.chat = chat;
    made.turn = turn;
    made.in_turn = true;
    made.request = {
        {"model", "m"},
        {"messages", messages},
        {"tools",
         json::array({{{"type", "function"}, {"function", {{"name", "memory"}, {"description", "Save it."}}}}})}};
    made.response = {{"choices", json::array({{{"index", 0}, {"message", answer}}})}};
    made.status = 200;
    made.tools_sha256 = "t1";
    return made;
}

}  // namespace pasb::test
