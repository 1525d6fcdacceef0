#include "gateway/request_rules.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace pasb {
namespace {

using nlohmann::json;

// Members that make the provider search, browse, run code, read stored data or pick another model.
constexpr std::array<std::string_view, 11> provider_side{
    "web_search_options", "plugins",       "search_parameters", "data_sources",        "mcp_servers", "models", "route",
    "transforms",         "enable_search", "web_search",        "previous_response_id"};

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

// "https://...", "file:...", "gs://...": anything that names a place, but not data:.
bool names_a_place(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        return false;
    }
    const std::string head = lower(text.substr(first, 64));
    if (head.starts_with("data:")) {
        return false;
    }
    return head.starts_with("file:") || head.starts_with("//") || head.find("://") != std::string::npos;
}

bool is_url_member(std::string_view name) {
    return name == "url" || name.ends_with("_url") || name == "uri" || name.ends_with("_uri");
}

// Looks through a content part that is not text, whatever its shape.
std::optional<std::string> part_refusal(const json& value, std::string_view name) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (name == "file_id") {
            return "content that refers to a file kept by the provider";
        }
        if (names_a_place(text) ||
            (is_url_member(name) && !lower(std::string_view(text).substr(0, 5)).starts_with("data:"))) {
            return "content with a URL that is not data:";
        }
        return std::nullopt;
    }
    if (value.is_structured()) {
        for (const auto& [member, inner] : value.items()) {
            if (auto found = part_refusal(inner, value.is_object() ? std::string_view(member) : name)) {
                return found;
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> content_refusal(const json& content) {
    if (!content.is_array()) {
        return std::nullopt;
    }
    for (const auto& part : content) {
        const bool text =
            part.is_object() && (part.value("type", json()) == "text" || part.value("type", json()) == "refusal");
        if (text || part.is_string()) {
            continue;
        }
        if (auto found = part_refusal(part, "")) {
            return found;
        }
    }
    return std::nullopt;
}

std::optional<std::string> tools_refusal(const json& tools) {
    if (!tools.is_array()) {
        return "tools that are no list";
    }
    for (const auto& tool : tools) {
        if (!tool.is_object() || tool.value("type", json()) != "function") {
            return "a tool whose type is not function: such tools run at the provider";
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> refusal(const json& request) {
    if (!request.is_object() || !request.contains("messages") || !request["messages"].is_array()) {
        return "a body without a list of messages";
    }
    for (const auto name : provider_side) {
        if (request.contains(name) && !request[std::string(name)].is_null()) {
            return "member '" + std::string(name) + "': it works at the provider, outside the sandbox";
        }
    }
    if (request.contains("tools") && !request["tools"].is_null()) {
        if (auto found = tools_refusal(request["tools"])) {
            return found;
        }
    }
    for (const auto& message : request["messages"]) {
        if (!message.is_object()) {
            return "a message that is no object";
        }
        if (message.contains("content")) {
            if (auto found = content_refusal(message["content"])) {
                return found;
            }
        }
    }
    return std::nullopt;
}

}  // namespace pasb
