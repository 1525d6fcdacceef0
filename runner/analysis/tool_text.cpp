#include "analysis/tool_text.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace pasb {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 9> markers{"<tool_call>",      "</tool_call>", "<|tool_call",
                                                  "[TOOL_CALLS]",     "<function=",   "<invoke name",
                                                  "<function_calls>", "```tool_code", "<|python_tag|>"};
constexpr std::size_t longest_call = 20'000;  // bytes; longer JSON is taken for content

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view without_fence(std::string_view text) {
    if (text.starts_with("```") && text.size() >= 6 && text.ends_with("```")) {
        const std::size_t line_end = text.find('\n');
        return line_end == std::string_view::npos ? text : trimmed(text.substr(line_end, text.size() - 3 - line_end));
    }
    return text;
}

bool is_call(const json& value) {
    if (value.is_array()) {
        return !value.empty() && std::all_of(value.begin(), value.end(), is_call);
    }
    if (!value.is_object()) {
        return false;
    }
    if (value.contains("function") && value.at("function").is_object()) {
        return is_call(value.at("function"));
    }
    const auto named = [&value](const char* key) { return value.contains(key) && value.at(key).is_string(); };
    return (named("name") || named("tool")) && (value.contains("arguments") || value.contains("parameters"));
}

}  // namespace

bool shows_tool_call(std::string_view reply) {
    if (std::any_of(markers.begin(), markers.end(),
                    [reply](std::string_view marker) { return reply.find(marker) != std::string_view::npos; })) {
        return true;
    }
    const std::string_view body = without_fence(trimmed(reply));
    if (body.empty() || body.size() > longest_call || (body.front() != '{' && body.front() != '[')) {
        return false;
    }
    return is_call(json::parse(body, nullptr, false));
}

}  // namespace pasb
