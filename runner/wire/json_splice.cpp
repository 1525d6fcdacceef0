#include "wire/json_splice.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "model/errors.hpp"

namespace pasb {
namespace {

// A member of the object: from the first byte of its name to the last byte of its value.
struct Member {
    std::string name;
    std::size_t begin = 0;
    std::size_t value = 0;
    std::size_t end = 0;
};

// Position after the string that begins at `at` (its opening quote).
std::size_t skip_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            return at + 1;
        }
    }
    return text.size();
}

std::size_t skip_space(std::string_view text, std::size_t at) {
    const auto found = text.find_first_not_of(" \t\r\n", at);
    return found == std::string_view::npos ? text.size() : found;
}

// Position after the value that begins at `at`: the first comma or closing bracket that is not inside it.
std::size_t skip_value(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = skip_string(text, at);
            continue;
        }
        if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (depth == 0) {
                break;
            }
            --depth;
        } else if (c == ',' && depth == 0) {
            break;
        }
        ++at;
    }
    return at;
}

std::size_t trim_end(std::string_view text, std::size_t begin, std::size_t end) {
    while (end > begin && std::string_view(" \t\r\n").find(text[end - 1]) != std::string_view::npos) {
        --end;
    }
    return end;
}

std::vector<Member> top_level(std::string_view text) {
    std::vector<Member> members;
    std::size_t at = skip_space(text, skip_space(text, 0) + 1);
    while (at < text.size() && text[at] == '"') {
        Member member;
        member.begin = at;
        const std::size_t name_end = skip_string(text, at);
        // An escaped name ("\u006dodel") is the same member.
        member.name = nlohmann::json::parse(text.substr(at, name_end - at)).get<std::string>();
        member.value = skip_space(text, skip_space(text, name_end) + 1);
        const std::size_t comma = skip_value(text, member.value);
        member.end = trim_end(text, member.value, comma);
        members.push_back(std::move(member));
        at = comma < text.size() && text[comma] == ',' ? skip_space(text, comma + 1) : text.size();
    }
    return members;
}

}  // namespace

std::string replace_members(std::string_view object, const std::map<std::string, std::optional<std::string>>& members) {
    std::vector<std::string> parts;
    std::set<std::string> seen;
    for (const auto& member : top_level(object)) {
        const auto wanted = members.find(member.name);
        if (wanted == members.end()) {
            parts.emplace_back(object.substr(member.begin, member.end - member.begin));
            continue;
        }
        if (!seen.insert(member.name).second) {
            throw InputError("member '" + member.name + "' stands twice");
        }
        if (wanted->second) {
            parts.push_back(std::string(object.substr(member.begin, member.value - member.begin)) + *wanted->second);
        }
    }
    for (const auto& [name, value] : members) {
        if (value && !seen.contains(name)) {
            parts.insert(parts.begin(), nlohmann::json(name).dump() + ":" + *value);
        }
    }
    std::string out = "{";
    for (const auto& part : parts) {
        out += (out.size() > 1 ? "," : "") + part;
    }
    return out + "}";
}

std::size_t nesting_depth(std::string_view text) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"') {
            at = skip_string(text, at);
            continue;
        }
        if (c == '{' || c == '[') {
            deepest = std::max(deepest, ++depth);
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
        ++at;
    }
    return deepest;
}

}  // namespace pasb
