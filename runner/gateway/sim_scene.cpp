#include "gateway/sim_scene.hpp"

#include <algorithm>
#include <map>

namespace pasb::sim {
namespace {

using nlohmann::json;

// OpenClaw's second user message of every request, and its date in front of the real one.
constexpr std::string_view internal_mark = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>";
constexpr std::string_view started_mark = "Conversation started: ";  // Hermes's
constexpr std::string_view runtime_mark = "\n\nRuntime: ";

std::string string_in(const json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>()
                                                                             : std::string{};
}

std::string text_of(const json& message) {
    const json content = message.value("content", json());
    if (content.is_string()) {
        return content.get<std::string>();
    }
    std::string text;
    if (content.is_array()) {
        for (const auto& part : content) {
            text += string_in(part, "text");
        }
    }
    return text;
}

// Arguments come as JSON in a string; some frameworks hand them back as an object.
json arguments_of(const json& function) {
    const json arguments = function.value("arguments", json());
    json parsed =
        arguments.is_string() ? json::parse(arguments.get_ref<const std::string&>(), nullptr, false) : arguments;
    return parsed.is_object() ? parsed : json::object();
}

ToolUse use_of(const json& call, std::size_t turn) {
    ToolUse use;
    use.turn = turn;
    const json function = call.value("function", json::object());
    if (!function.is_object()) {
        return use;
    }
    use.tool = string_in(function, "name");
    use.arguments = arguments_of(function);
    if (use.tool == "tool_call") {
        const std::string id = string_in(use.arguments, "id");
        const auto colon = id.rfind(':');
        use.tool = colon == std::string::npos ? id : id.substr(colon + 1);
        json inner = use.arguments.value("args", json::object());
        use.arguments = inner.is_object() ? std::move(inner) : json::object();
    }
    return use;
}

bool is_failure(const std::string& result) {
    const json value = json::parse(result, nullptr, false);
    if (!value.is_object()) {
        return false;
    }
    return value.value("success", json()) == json(false) || value.value("status", json()) == json("error") ||
           (value.contains("error") && !value["error"].is_null() && !value.contains("success"));
}

// Takes off the date in front of OpenClaw's user messages ("[Mon 2026-11-30 08:30 UTC] ") and the runtime line behind
// the first.
std::string user_text(std::string text, std::string& date) {
    const auto close = text.find("] ");
    const bool stamped = text.starts_with('[') && close != std::string::npos && close >= 24 && close < 40 &&
                         text[4] == ' ' && text[9] == '-' && text[12] == '-' && text[18] == ':';
    if (stamped) {
        date = text.substr(5, 10);
        text.erase(0, close + 2);
    }
    return text.substr(0, text.find(runtime_mark));
}

// Collects a request's messages.
class Reader {
  public:
    explicit Reader(Scene& scene) : scene_(scene) {}

    void take(const json& message) {
        const std::string role = string_in(message, "role");
        if (role == "system" || role == "developer") {
            scene_.system += text_of(message);
        } else if (role == "user") {
            take_user(text_of(message));
        } else if (role == "assistant") {
            take_calls(message.value("tool_calls", json()));
        } else if (role == "tool") {
            take_result(string_in(message, "tool_call_id"), text_of(message));
        }
    }

  private:
    void take_user(std::string text) {
        if (text.starts_with(internal_mark)) {
            return;
        }
        text = user_text(std::move(text), scene_.date);
        scene_.background = text.starts_with("Review the conversation above") || text.starts_with("Skill review.");
        scene_.turns.push_back(std::move(text));
    }

    void take_calls(const json& calls) {
        if (!calls.is_array()) {
            return;
        }
        for (const auto& call : calls) {
            if (call.is_object()) {
                by_id_[string_in(call, "id")] = scene_.uses.size();
                scene_.uses.push_back(use_of(call, scene_.turns.empty() ? 0 : scene_.turns.size() - 1));
            }
        }
    }

    void take_result(const std::string& id, std::string text) {
        if (const auto found = by_id_.find(id); found != by_id_.end()) {
            ToolUse& use = scene_.uses[found->second];
            use.failed = is_failure(text);
            use.result = std::move(text);
        }
    }

    Scene& scene_;
    std::map<std::string, std::size_t> by_id_;
};

json parse_text(const std::string& text) {
    json value = json::parse(text, nullptr, false);
    return value.is_discarded() ? json(text) : value;
}

}  // namespace

std::vector<ToolUse> Scene::current_uses() const {
    std::vector<ToolUse> current;
    for (const auto& use : uses) {
        if (use.turn + 1 != turns.size()) {
            continue;
        }
        if (use.failed) {
            current.clear();
        } else {
            current.push_back(use);
        }
    }
    return current;
}

std::size_t Scene::current_failures() const {
    return static_cast<std::size_t>(std::count_if(
        uses.begin(), uses.end(), [this](const ToolUse& use) { return use.failed && use.turn + 1 == turns.size(); }));
}

Scene read_scene(const json& request) {
    Scene scene;
    Reader reader(scene);
    for (const auto& message : request.value("messages", json::array())) {
        if (message.is_object()) {
            reader.take(message);
        }
    }
    for (const auto& tool : request.value("tools", json::array())) {
        if (tool.is_object()) {
            scene.tools.insert(string_in(tool.value("function", json::object()), "name"));
        }
    }
    if (const auto at = scene.system.find(started_mark); scene.date.empty() && at != std::string::npos) {
        const auto begin = at + started_mark.size();
        scene.date = scene.system.substr(begin, scene.system.find('\n', begin) - begin);
    }
    if (scene.turns.empty()) {
        scene.turns.emplace_back();
    }
    return scene;
}

json payload(const std::string& result) {
    json value = parse_text(result);
    // OpenClaw: {"tool": ..., "result": {"content": [{"text": "<JSON>"}], "details": ...}}
    const json* content = nullptr;
    if (value.is_object() && value.contains("result") && value["result"].is_object() &&
        value["result"].contains("content")) {
        content = &value["result"]["content"];
    }
    if (content == nullptr || !content->is_array() || content->empty()) {
        return value;
    }
    return parse_text(string_in(content->front(), "text"));
}

}  // namespace pasb::sim
