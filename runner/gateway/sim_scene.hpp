// A chat-completions request as a simulated model sees it: what the user has said, turn by turn, without what the
// frameworks wrap around it, and which tools have been used with what result. Pure; decides nothing.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace pasb::sim {

// A tool call of an earlier answer with its result. Calls through OpenClaw's tool_call stand here as the tool that they
// reach.
struct ToolUse {
    std::string tool;
    nlohmann::json arguments = nlohmann::json::object();
    std::string result;
    std::size_t turn = 0;  // index into Scene::turns
    bool failed = false;
};

struct Scene {
    std::string system;
    std::vector<std::string> turns;  // the user's messages, the last one being the one to answer
    std::vector<ToolUse> uses;       // in order
    std::set<std::string> tools;     // names offered
    std::string date;                // as the framework tells it; empty when it does not
    bool background = false;         // asked by the framework itself (a review), not by the user

    [[nodiscard]] bool offers(const std::string& tool) const { return tools.contains(tool); }
    [[nodiscard]] const std::string& question() const { return turns.back(); }
    // Uses in answer to the last message, those before and with the last failed one left out.
    [[nodiscard]] std::vector<ToolUse> current_uses() const;
    [[nodiscard]] std::size_t current_failures() const;
};

// `turns` is never empty. Shapes that do not fit are passed over.
Scene read_scene(const nlohmann::json& request);

// What a tool's result holds, through the wrappers that frameworks put around it: the innermost JSON, or the text as a
// JSON string.
nlohmann::json payload(const std::string& result);

}  // namespace pasb::sim
