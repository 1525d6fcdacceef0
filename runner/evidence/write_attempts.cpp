#include "evidence/write_attempts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>

#include "changes/path_rules.hpp"

namespace pasb {
namespace {

using nlohmann::json;

json parse(const std::string& text) {
    return json::parse(text, nullptr, false);
}

// Arguments as an object: they come as one, or as JSON in a string, or as that once more.
json arguments_of(json value) {
    for (int i = 0; i < 2 && value.is_string(); ++i) {
        value = parse(value.get<std::string>());
    }
    return value.is_object() ? value : json::object();
}

// By JSON pointer, or by key where the name has no slash at its front.
json value_at(const json& arguments, const std::string& name) {
    if (!name.starts_with('/')) {
        const auto found = arguments.find(name);
        return found == arguments.end() ? json() : *found;
    }
    try {
        const json::json_pointer pointer(name);
        return arguments.contains(pointer) ? arguments.at(pointer) : json();
    } catch (const json::exception&) {
        return {};  // an index that is no number, and the like: nothing stands there
    }
}

// A call as it reaches the tool that does the work.
struct Call {
    std::string tool;
    json arguments;
};

std::optional<Call> unwrap(const ToolCall& call, const WriteTool& rule) {
    json arguments = arguments_of(json(call.arguments));
    if (rule.via_tool.empty()) {
        return call.name == rule.tool ? std::optional<Call>({call.name, std::move(arguments)}) : std::nullopt;
    }
    const json name = value_at(arguments, rule.via_name);
    if (call.name != rule.via_tool || !name.is_string() || name.get<std::string>() != rule.tool) {
        return std::nullopt;
    }
    return Call{rule.tool, arguments_of(value_at(arguments, rule.via_arguments))};
}

// A path argument, or the files that a patch in it names.
std::vector<std::string> paths_in(const std::string& argument) {
    constexpr std::array<std::string_view, 4> marks{
        "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "};
    std::vector<std::string> paths;
    for (const std::string_view mark : marks) {
        for (std::size_t at = argument.find(mark); at != std::string::npos; at = argument.find(mark, at + 1)) {
            const std::size_t begin = at + mark.size();
            std::string path = argument.substr(begin, argument.find('\n', begin) - begin);
            if (path.ends_with('\r')) {
                path.pop_back();
            }
            paths.push_back(std::move(path));
        }
    }
    if (paths.empty()) {
        paths.push_back(argument);
    }
    return paths;
}

// Without empty and dot segments; ".." takes one away. A path that leaves its root loses the dots only.
std::string normalised(std::string_view path) {
    std::vector<std::string_view> segments;
    const bool absolute = path.starts_with('/');
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        const std::string_view segment = path.substr(0, slash);
        path.remove_prefix(std::min(slash + 1, path.size()));
        if (segment == ".." && !segments.empty()) {
            segments.pop_back();
        } else if (!segment.empty() && segment != "." && segment != "..") {
            segments.push_back(segment);
        }
    }
    std::string result;
    for (const std::string_view segment : segments) {
        result += result.empty() && !absolute ? "" : "/";
        result += segment;
    }
    return result;
}

// Where a relative path may start: home, or a folder that a rule for one single note names. The agent's working folder
// is not on the wire, but it holds the note files; a folder full of notes (memory/*.md) is reached from it, not worked
// in.
std::set<std::string> working_folders(const Adapter& adapter) {
    std::set<std::string> folders{""};
    for (const PathRule& rule : adapter.paths) {
        const bool single =
            is_note(rule.kind) && !rule.match.starts_with('/') && rule.match.find_first_of("*?") == std::string::npos;
        if (single) {
            folders.insert(rule.match.substr(0, rule.match.rfind('/') + 1));
        }
    }
    return folders;
}

bool names_a_note(std::string path, const Adapter& adapter) {
    if (path.starts_with("~/")) {
        path = adapter.home + path.substr(1);
    }
    const auto is_note_path = [&](const std::string& candidate) {
        return is_note(classify(normalised(candidate), adapter.paths, adapter.home));
    };
    if (path.starts_with('/')) {
        return is_note_path(path);
    }
    const std::set<std::string> folders = working_folders(adapter);
    return std::any_of(folders.begin(), folders.end(),
                       [&](const std::string& folder) { return is_note_path(folder + path); });
}

// The first note that a path argument names; no value if it names none.
std::optional<std::string> note_named(const json& argument, const Adapter& adapter) {
    if (!argument.is_string()) {
        return std::nullopt;
    }
    for (std::string& path : paths_in(argument.get<std::string>())) {
        if (names_a_note(path, adapter)) {
            return std::move(path);
        }
    }
    return std::nullopt;
}

std::string target_of(const json& arguments) {
    for (const char* key : {"path", "file_path", "target", "name", "id"}) {
        const auto found = arguments.find(key);
        if (found != arguments.end() && found->is_string()) {
            return found->get<std::string>();
        }
    }
    return {};
}

// The attempt that a call is by the first rule that fits, without its turn and result.
std::optional<WriteAttempt> attempt_of(const ToolCall& call, const Adapter& adapter) {
    for (const WriteTool& rule : adapter.write_tools) {
        const std::optional<Call> inner = unwrap(call, rule);
        if (!inner) {
            continue;
        }
        WriteAttempt attempt;
        attempt.tool = inner->tool;
        attempt.target = target_of(inner->arguments);
        if (rule.path_argument.empty()) {
            return attempt;
        }
        if (const std::optional<std::string> note =
                note_named(value_at(inner->arguments, rule.path_argument), adapter)) {
            attempt.target = *note;
            return attempt;
        }
    }
    return std::nullopt;
}

bool truthy(const json& value) {
    if (value.is_boolean()) {
        return value.get<bool>();
    }
    return value.is_string() ? !value.get<std::string>().empty() : !value.is_null() && !value.empty();
}

bool says_failure(const json& result) {
    const auto is_false = [&](const char* key) { return result.contains(key) && result[key] == false; };
    const auto is_set = [&](const char* key) { return result.contains(key) && truthy(result[key]); };
    const auto status = result.find("status");
    const bool bad_status =
        status != result.end() && (*status == "error" || *status == "failed" || *status == "rejected");
    return is_false("success") || is_false("ok") || is_set("error") || is_set("isError") || is_set("is_error") ||
           bad_status;
}

std::optional<bool> succeeded(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) {
        return std::nullopt;
    }
    const json result = parse(text);
    if (result.is_object()) {
        return !says_failure(result);
    }
    std::string start = text.substr(begin, 5);
    std::transform(start.begin(), start.end(), start.begin(),
                   [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
    return start != "error";
}

// Some frameworks rewrite ids on their way back ("call_1" to "call1").
bool same_id(const std::string& left, const std::string& right) {
    const auto plain = [](const std::string& id) {
        std::string letters;
        std::copy_if(id.begin(), id.end(), std::back_inserter(letters),
                     [](unsigned char byte) { return std::isalnum(byte) != 0; });
        return letters;
    };
    return !left.empty() && (left == right || plain(left) == plain(right));
}

// The result of a call in the messages of one request: the tool's message after the last answer that made the call, as
// weak models give the same id twice.
std::optional<std::string> result_in(const std::vector<Message>& messages, const ToolCall& call) {
    std::optional<std::string> result;
    bool called = false;
    for (const Message& message : messages) {
        for (const ToolCall& made : message.tool_calls) {
            if (same_id(made.id, call.id)) {
                called = made.name == call.name;
                result.reset();
            }
        }
        if (called && !result && message.role == "tool" && same_id(message.tool_call_id, call.id)) {
            result = message.text;
        }
    }
    return result;
}

std::optional<bool> outcome_of(const ToolCall& call, std::span<const Exchange> later, Chat chat) {
    for (const Exchange& exchange : later) {
        if (exchange.chat == chat) {
            if (const std::optional<std::string> result = result_in(messages_of(exchange.request), call)) {
                return succeeded(*result);
            }
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<WriteAttempt> write_attempts(std::span<const Exchange> all, const Adapter& adapter) {
    std::vector<WriteAttempt> attempts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].chat != Chat::first) {
            continue;
        }
        for (const ToolCall& call : answer_of(all[i].response).tool_calls) {
            if (std::optional<WriteAttempt> attempt = attempt_of(call, adapter)) {
                attempt->turn = all[i].turn;
                attempt->in_turn = all[i].in_turn;
                attempt->ok = outcome_of(call, all.subspan(i + 1), Chat::first);
                attempts.push_back(std::move(*attempt));
            }
        }
    }
    return attempts;
}

}  // namespace pasb
