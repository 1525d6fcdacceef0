#include "evidence/conversation.hpp"

#include <algorithm>

#include "evidence/text_spans.hpp"

namespace pasb {
namespace {

using nlohmann::json;

const json& member(const json& object, const char* key) {
    static const json null;
    if (!object.is_object()) {
        return null;
    }
    const auto found = object.find(key);
    return found == object.end() ? null : *found;
}

std::string string_member(const json& object, const char* key) {
    const json& value = member(object, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::string text_of(const json& content) {
    if (content.is_string()) {
        return content.get<std::string>();
    }
    std::string text;
    if (content.is_array()) {
        for (const json& part : content) {
            const std::string piece = part.is_string() ? part.get<std::string>() : string_member(part, "text");
            text += text.empty() || piece.empty() ? "" : "\n";
            text += piece;
        }
    }
    return text;
}

std::string dump(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<ToolCall> tool_calls_of(const json& message) {
    std::vector<ToolCall> calls;
    const json& list = member(message, "tool_calls");
    if (list.is_array()) {
        for (const json& entry : list) {
            const json& function = member(entry, "function");
            const json& arguments = member(function, "arguments");
            calls.push_back({string_member(entry, "id"), string_member(function, "name"),
                             arguments.is_string() ? arguments.get<std::string>()
                             : arguments.is_null() ? ""
                                                   : dump(arguments)});
        }
    }
    return calls;
}

Message message_of(const json& value) {
    return {string_member(value, "role"), text_of(member(value, "content")), tool_calls_of(value),
            string_member(value, "tool_call_id")};
}

bool has_tools(const Exchange& exchange) {
    const json& tools = member(exchange.request, "tools");
    return tools.is_array() && !tools.empty();
}

bool holds_own_user_text(const Exchange& exchange, Chat chat, std::span<const TurnText> turns) {
    const bool has_turn = exchange.chat == chat && exchange.in_turn && exchange.turn >= 1 &&
                          static_cast<std::size_t>(exchange.turn) <= turns.size();
    if (!has_turn) {
        return false;
    }
    const std::string& user = turns[static_cast<std::size_t>(exchange.turn) - 1].user;
    const std::vector<Message> messages = messages_of(exchange.request);
    return std::any_of(messages.begin(), messages.end(), [&](const Message& message) {
        return message.role == "user" && holds_text(message.text, user);
    });
}

}  // namespace

std::vector<Message> messages_of(const json& request) {
    std::vector<Message> messages;
    const json& list = member(request, "messages");
    if (list.is_array()) {
        for (const json& entry : list) {
            messages.push_back(message_of(entry));
        }
    }
    return messages;
}

Message answer_of(const json& response) {
    const json& choices = member(response, "choices");
    return choices.is_array() && !choices.empty() ? message_of(member(choices[0], "message")) : Message{};
}

std::vector<std::string> strings_of(const json& value) {
    // Not recursive: how deep a request is nested is the agent's choice.
    std::vector<std::string> strings;
    std::vector<const json*> open{&value};
    while (!open.empty()) {
        const json& next = *open.back();
        open.pop_back();
        if (next.is_string()) {
            strings.push_back(next.get<std::string>());
        } else if (next.is_object()) {
            for (const auto& [key, element] : next.items()) {
                strings.push_back(key);
                open.push_back(&element);
            }
        } else if (next.is_array()) {
            for (const json& element : next) {
                open.push_back(&element);
            }
        }
    }
    return strings;
}

bool in_main_conversation(const Exchange& exchange, Chat chat, std::span<const TurnText> turns,
                          std::span<const Exchange> all) {
    if (!holds_own_user_text(exchange, chat, turns)) {
        return false;
    }
    const auto first = std::find_if(
        all.begin(), all.end(), [&](const Exchange& candidate) { return holds_own_user_text(candidate, chat, turns); });
    return has_tools(exchange) || first == all.end() || !has_tools(*first);
}

}  // namespace pasb
