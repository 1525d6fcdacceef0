// A stand-in for the three agent frameworks in tests of the simulated models: wraps what a user says the way each does,
// carries out the tool calls on files in memory, and shows notes in the next prompt. Not the frameworks: their wording
// and most of their rules are absent.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gateway/sim_model.hpp"

namespace pasb::test {

struct Spoken {
    std::string text;
    std::vector<std::string> tools;  // tools called before it, in order
};

// One chat with an agent. `files` are the notes; copy them into another chat's world to carry them over.
class World {
  public:
    using Files = std::map<std::string, std::string>;

    World(SimKind kind, Files notes) : files(std::move(notes)), kind_(kind) {}
    virtual ~World() = default;

    Spoken say(const std::string& text) {
        messages_.push_back(user_message(text));
        Spoken spoken;
        for (int step = 0; step < 12; ++step) {
            last_request = request();
            const auto completion = sim_answer(kind_, last_request);
            const auto message = completion["choices"][0]["message"];
            messages_.push_back(message);
            if (!message.contains("tool_calls")) {
                spoken.text = message["content"];
                return spoken;
            }
            for (const auto& call : message["tool_calls"]) {
                spoken.tools.push_back(call["function"]["name"]);
                const auto arguments = nlohmann::json::parse(call["function"]["arguments"].get<std::string>());
                messages_.push_back({{"role", "tool"},
                                     {"tool_call_id", call["id"]},
                                     {"content", carry_out(call["function"]["name"], arguments)}});
            }
        }
        spoken.text = "(never came to an end)";
        return spoken;
    }

    Files files;
    nlohmann::json last_request;
    bool first = true;

  protected:
    virtual std::string system() const = 0;
    virtual std::vector<std::string> tool_names() const = 0;
    virtual std::string carry_out(const std::string& tool, const nlohmann::json& arguments) = 0;
    virtual nlohmann::json user_message(const std::string& text) { return {{"role", "user"}, {"content", text}}; }
    virtual std::vector<nlohmann::json> trailer() const { return {}; }

  private:
    nlohmann::json request() const {
        nlohmann::json body = {
            {"model", "pasb-model"}, {"stream", true}, {"stream_options", {{"include_usage", true}}}};
        body["messages"] = nlohmann::json::array({{{"role", "system"}, {"content", system()}}});
        for (const auto& message : messages_) {
            body["messages"].push_back(message);
        }
        for (const auto& message : trailer()) {
            body["messages"].push_back(message);
        }
        body["tools"] = nlohmann::json::array();
        for (const auto& name : tool_names()) {
            body["tools"].push_back(
                {{"type", "function"}, {"function", {{"name", name}, {"parameters", nlohmann::json::object()}}}});
        }
        return body;
    }

    const SimKind kind_;
    std::vector<nlohmann::json> messages_;
};

class HermesWorld : public World {
  public:
    HermesWorld(SimKind kind, Files notes) : World(kind, std::move(notes)), at_start_(files) {}

  protected:
    // Frozen when the chat begins, as Hermes does it.
    std::string system() const override {
        std::string text =
            "You are a test agent.\n<available_skills>\n  other:\n    - shipped-skill: Something else.\n";
        for (const auto& [path, content] : at_start_) {
            if (path.starts_with("skills/")) {
                const auto name = path.substr(7, path.find('/', 7) - 7);
                text += "  " + name + ":\n    - " + name + ": How to handle...\n";
            }
        }
        text += "</available_skills>\n\nCwd: /x\n";
        block(text, "memories/MEMORY.md", "MEMORY (your personal notes)", "2,200");
        block(text, "memories/USER.md", "USER PROFILE (who the user is)", "1,375");
        return text + "\nConversation started: Monday, November 30, 2026\nModel: pasb-model\n";
    }

    std::vector<std::string> tool_names() const override {
        return {"memory", "session_search", "skill_manage", "skill_view", "skills_list"};
    }

    std::string carry_out(const std::string& tool, const nlohmann::json& arguments) override {
        if (tool == "memory") {
            return add_entry(arguments);
        }
        if (tool == "skill_view") {
            return nlohmann::json({{"success", true}, {"content", files.at(skill_path(arguments))}}).dump();
        }
        if (tool == "skill_manage") {
            const bool exists = files.contains(skill_path(arguments));
            if (exists != (arguments.at("action") == "edit") ||
                !arguments.at("content").get<std::string>().starts_with("---\nname: ")) {
                return R"({"success": false, "error": "no such thing, or it exists already"})";
            }
            files[skill_path(arguments)] = arguments.at("content");
            return R"({"success": true})";
        }
        if (tool == "session_search") {
            return R"({"success": true, "results": [{"session_id": "other-1", "preview": "a look at an earlier chat"}], "count": 1})";
        }
        return R"({"success": false, "error": "no such tool"})";
    }

  private:
    static std::string skill_path(const nlohmann::json& arguments) {
        return "skills/" + arguments.at("name").get<std::string>() + "/SKILL.md";
    }

    static std::size_t characters(const std::string& text) {
        std::size_t count = 0;
        for (const char c : text) {
            count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
        }
        return count;
    }

    std::string add_entry(const nlohmann::json& arguments) {
        const bool user = arguments.at("target") == "user";
        std::string& file = files[user ? "memories/USER.md" : "memories/MEMORY.md"];
        const std::string grown =
            file + (file.empty() ? "" : "\n\xC2\xA7\n") + arguments.at("content").get<std::string>();
        if (characters(grown) > (user ? 1'375U : 2'200U)) {
            return R"({"success": false, "error": "over the limit"})";
        }
        file = grown;
        return R"({"success": true, "done": true})";
    }

    void block(std::string& text, const std::string& path, const std::string& title, const std::string& limit) const {
        std::string ruler;
        for (int i = 0; i < 46; ++i) {
            ruler += "\xE2\x95\x90";
        }
        if (const auto found = at_start_.find(path); found != at_start_.end()) {
            text += "\n" + ruler + "\n" + title + " [1% \xE2\x80\x94 " + std::to_string(characters(found->second)) +
                    "/" + limit + " chars]\n" + ruler + "\n" + found->second + "\n";
        }
    }

    const Files at_start_;
};

class OpenClawWorld : public World {
  public:
    OpenClawWorld(SimKind kind, Files notes) : World(kind, std::move(notes)) {
        files.emplace("USER.md",
                      "# USER.md\n\n- Record the date.\n\n```md\n<!-- observed: YYYY-MM-DD | status: active -->\n\n- "
                      "Prefer tests.\n```\n\n## "
                      "Directives\n\n<!-- observed: YYYY-MM-DD | status: active -->\n\n- Prefer ...\n\n## Related\n\n- "
                      "[x](/y)\n");
    }

  protected:
    std::string system() const override {
        std::string text =
            "<!-- openclaw:attempt:STABLE -->\nYou are a test "
            "agent.\n<available_skills>\n<skill><name>shipped</name><location>/opt/x/shipped/SKILL.md</location></"
            "skill>\n";
        for (const auto& [path, content] : files) {
            if (path.starts_with("workshop-skills/")) {
                text += "<skill><location>~/agent/" + path + "</location></skill>\n";
            }
        }
        text += "</available_skills>\n";
        for (const char* name : {"USER.md", "MEMORY.md"}) {
            if (files.contains(name)) {
                text += "## /home/agent/.openclaw/workspace/" + std::string(name) + "\n" + files.at(name);
            }
        }
        return text + "<!-- /openclaw:attempt:STABLE -->\nCurrent date: 2026-11-30\n- Never a note.\n";
    }

    std::vector<std::string> tool_names() const override {
        return {"apply_patch", "edit", "exec", "ls", "read", "tool_call", "tool_describe", "tool_search", "write"};
    }

    nlohmann::json user_message(const std::string& text) override {
        const std::string runtime = first ? "\n\nRuntime: agent=main | session=agent:main:chat" : "";
        first = false;
        return {{"role", "user"}, {"content", "[Mon 2026-11-30 08:30 UTC] " + text + runtime}};
    }

    std::vector<nlohmann::json> trailer() const override {
        return {{{"role", "user"},
                 {"content", nlohmann::json::array(
                                 {{{"type", "text"}, {"text", "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nnone"}}})}}};
    }

    std::string carry_out(const std::string& tool, const nlohmann::json& arguments) override {
        if (tool == "write") {
            files[arguments.at("path")] = arguments.at("content");
            return "Successfully wrote bytes";
        }
        if (tool == "edit") {
            return edit(arguments);
        }
        if (tool == "read") {
            const std::string path = arguments.at("path");
            const auto at = path.find("workshop-skills/");
            return at != std::string::npos && files.contains(path.substr(at)) ? files.at(path.substr(at))
                                                                              : "Optional file not found.";
        }
        if (tool == "tool_call") {
            return wrapped(arguments.at("id"), arguments.at("args"));
        }
        return failure(tool);
    }

  private:
    static std::string failure(const std::string& tool) {
        return nlohmann::json({{"status", "error"}, {"tool", tool}, {"error", "refused"}}).dump();
    }

    std::string edit(const nlohmann::json& arguments) {
        std::string& file = files.at(arguments.at("path"));
        const std::string old = arguments.at("edits")[0].at("oldText");
        const auto at = file.find(old);
        if (at == std::string::npos || file.find(old, at + 1) != std::string::npos) {
            return failure("edit");
        }
        file.replace(at, old.size(), arguments.at("edits")[0].at("newText").get<std::string>());
        return "Successfully replaced 1 block(s).";
    }

    std::string wrapped(const std::string& id, const nlohmann::json& arguments) {
        nlohmann::json details = nlohmann::json::object();
        std::string text = "done";
        if (id == "sessions_list") {
            text = R"({"sessions": [{"key": "agent:main:old"}]})";
        } else if (id == "sessions_history") {
            text = R"({"messages": ["an earlier word"]})";
        } else if (id == "skill_workshop" && !workshop(arguments, details)) {
            return failure(id);
        }
        return nlohmann::json({{"tool", {{"id", id}}},
                               {"result", {{"content", {{{"type", "text"}, {"text", text}}}}, {"details", details}}}})
            .dump();
    }

    bool workshop(const nlohmann::json& arguments, nlohmann::json& details) {
        const std::string action = arguments.at("action");
        if (action == "create" || action == "update") {
            const std::string name = arguments.at(action == "create" ? "name" : "skill_name");
            if (files.contains(path(name)) != (action == "update") || arguments.value("description", "").size() > 160) {
                return false;
            }
            proposals_["id-" + name] = {name, arguments.at("proposal_content")};
            details["id"] = "id-" + name;
            return true;
        }
        if (action == "apply") {
            const auto found = proposals_.find(arguments.at("proposal_id"));
            if (found == proposals_.end()) {
                return false;
            }
            files[path(found->second.first)] = "---\nname: x\n---\n\n" + found->second.second;
            return true;
        }
        return action == "read" && files.contains(path(arguments.at("skill_name")));
    }

    static std::string path(const std::string& name) { return "workshop-skills/" + name + "/SKILL.md"; }

    std::map<std::string, std::pair<std::string, std::string>> proposals_;
};

class SaveNoteWorld : public World {
  public:
    using World::World;

  protected:
    std::string system() const override {
        std::string text = "You are a test agent.\n";
        for (const auto& [path, content] : files) {
            text += "\n## Note " + path + "\n" + content;
        }
        return text;
    }
    std::vector<std::string> tool_names() const override { return {"save_note"}; }
    std::string carry_out(const std::string&, const nlohmann::json& arguments) override {
        files[arguments.at("file")] += arguments.at("text").get<std::string>() + "\n";
        return R"({"success": true})";
    }
};

}  // namespace pasb::test
