// Reading of one recorded request or answer: who said what, which tools were called. Never throws, whatever the JSON
// holds.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/exchange.hpp"

namespace pasb {

// A turn as the runner saw it: what it sent and what came back.
struct TurnText {
    std::string user;
    std::string agent;  // empty where the turn failed
};

struct ToolCall {
    std::string id;
    std::string name;
    std::string arguments;  // as on the wire; an object is dumped
};

struct Message {
    std::string role;
    std::string text;  // content; the text parts joined by line ends
    std::vector<ToolCall> tool_calls;
    std::string tool_call_id;
};

std::vector<Message> messages_of(const nlohmann::json& request);
Message answer_of(const nlohmann::json& response);

// Every string in a value, keys included, in no particular order.
std::vector<std::string> strings_of(const nlohmann::json& value);

// Whether the request belongs to the chat itself: it arrived during its turn, holds that turn's user text in a user
// message, and offers tools if the chat's first such request does. Reviews, title writers and other background work do
// not.
bool in_main_conversation(const Exchange& exchange, Chat chat, std::span<const TurnText> turns,
                          std::span<const Exchange> all);

}  // namespace pasb
