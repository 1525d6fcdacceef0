#include "gateway/sim_tools.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace pasb::sim {
namespace {

using nlohmann::json;

constexpr std::size_t chat_turns = 5;         // notes leave room for this many
constexpr std::size_t room_for_a_turn = 220;  // characters
constexpr std::size_t least_line = 60;        // a shorter rest of a line is not worth writing
constexpr std::size_t skill_line = 1'200;     // characters of one step
constexpr std::size_t most_sessions = 4;      // how many earlier chats are opened

std::string text_argument(const ToolUse& use, const char* name) {
    const json value = use.arguments.value(name, json());
    return value.is_string() ? value.get<std::string>() : std::string{};
}

std::string string_at(const json& value, const json::json_pointer& pointer) {
    return value.is_structured() && value.contains(pointer) && value[pointer].is_string()
               ? value[pointer].get<std::string>()
               : std::string{};
}

std::string joined(const std::vector<std::string>& lines, std::string_view before, std::string_view between) {
    std::string text;
    for (const auto& line : lines) {
        text += std::string(text.empty() ? "" : between) + std::string(before) + line;
    }
    return text;
}

// As much of the lines as `limit` characters hold. The last line, this turn's own, comes first; then the latest before
// it.
std::vector<std::string> fit(const std::vector<std::string>& lines, std::size_t limit) {
    std::vector<std::string> kept;
    std::size_t left = limit;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (!kept.empty() && left < least_line) {
            break;
        }
        kept.push_back(shorten(*line, left));
        left -= std::min(left, code_points(kept.back()) + 3);
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
}

// What this turn may use of a store of `capacity` characters, `used` of which are taken, so that later turns find room
// as well.
std::size_t room(std::size_t capacity, std::size_t used, std::size_t turn) {
    const std::size_t later = turn < chat_turns ? (chat_turns - turn) * room_for_a_turn : 0;
    return std::max(capacity - std::min(capacity, used + later), least_line);
}

// On one line, as a double-quoted YAML scalar.
std::string quoted(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string skill_description(const Note& note) {
    std::string topic = shorten(note.all.front(), 50);
    // OpenClaw allows 160 bytes, which is less than 50 characters of some scripts.
    while (topic.size() > 120) {
        topic = shorten(topic, code_points(topic) - 10);
    }
    return "How to handle: " + topic;
}

std::string skill_body(const Note& note) {
    std::string body = "# Learned method\n\n" + note.skill_lead + "\n\n";
    for (std::size_t i = 0; i < note.all.size(); ++i) {
        body += std::to_string(i + 1) + ". " + shorten(note.all[i], skill_line) + "\n";
    }
    return body;
}

std::string without_front_matter(const std::string& text) {
    if (!text.starts_with("---\n")) {
        return text;
    }
    const auto end = text.find("\n---\n", 3);
    return end == std::string::npos ? text : text.substr(end + 5);
}

// Each text between `open` and the next `close`.
std::vector<std::string> all_between(const std::string& text, std::string_view open, std::string_view close) {
    std::vector<std::string> found;
    for (auto at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
        at += open.size();
        if (const auto end = text.find(close, at); end != std::string::npos) {
            found.push_back(text.substr(at, end - at));
        }
    }
    return found;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

// The text after `heading` up to the first of `ends`, or nothing.
std::string section(const std::string& text, const std::string& heading, std::initializer_list<std::string_view> ends) {
    const auto at = text.find(heading);
    if (at == std::string::npos) {
        return {};
    }
    std::string body = text.substr(at + heading.size());
    for (const auto end : ends) {
        body = body.substr(0, body.find(end));
    }
    return body;
}

bool used(const std::vector<ToolUse>& uses, const std::string& tool) {
    return std::any_of(uses.begin(), uses.end(), [&](const ToolUse& use) { return use.tool == tool; });
}

// Values of the member `name` anywhere in `value`, each once, in order.
void collect(const json& value, const std::string& name, std::vector<std::string>& found) {
    if (!value.is_structured()) {
        return;
    }
    for (const auto& [member, inner] : value.items()) {
        if (value.is_object() && member == name && inner.is_string()) {
            if (const auto text = inner.get<std::string>();
                std::find(found.begin(), found.end(), text) == found.end()) {
                found.push_back(text);
            }
        } else {
            collect(inner, name, found);
        }
    }
}

class KitBase : public Tools {
  public:
    explicit KitBase(const Scene& scene) : scene_(scene) {}

  protected:
    [[nodiscard]] std::size_t turn() const { return scene_.turns.size(); }

    // The last successful use that `wanted` accepts, of the whole chat.
    template <typename Wanted>
    [[nodiscard]] const ToolUse* last_use(Wanted&& wanted) const {
        const ToolUse* found = nullptr;
        for (const auto& use : scene_.uses) {
            if (!use.failed && wanted(use)) {
                found = &use;
            }
        }
        return found;
    }

    // Of an earlier turn's skill; empty when there is none.
    [[nodiscard]] std::string skill_made_before(const std::string& tool) const {
        const ToolUse* made = last_use([&](const ToolUse& use) {
            return use.tool == tool && use.turn + 1 < turn() && text_argument(use, "action") == "create";
        });
        return made == nullptr ? std::string{} : text_argument(*made, "name");
    }

    static std::string new_skill_name(const Note& note) { return std::string(skill_prefix) + slug(note.all.front()); }

    const Scene& scene_;
};

class NoTools : public Tools {
  public:
    [[nodiscard]] std::vector<Call> save(const Note&) const override { return {}; }
    [[nodiscard]] std::vector<Call> read_notes() const override { return {}; }
    [[nodiscard]] std::vector<std::string> notes() const override { return {}; }
    [[nodiscard]] std::vector<Call> look_back() const override { return {}; }
};

class HermesTools : public KitBase {
  public:
    using KitBase::KitBase;

    [[nodiscard]] std::vector<Call> save(const Note& note) const override {
        const auto current = scene_.current_uses();
        if (used(current, "memory") || used(current, "skill_manage")) {
            return {};
        }
        if (note.destination == Destination::skill && scene_.offers("skill_manage")) {
            return {skill_call(note)};
        }
        return scene_.offers("memory") ? std::vector<Call>{memory_call(note)} : std::vector<Call>{};
    }

    [[nodiscard]] std::vector<Call> read_notes() const override {
        if (!scene_.offers("skill_view")) {
            return {};
        }
        std::vector<Call> calls;
        for (const auto& rest : all_between(scene_.system, "    - " + std::string(skill_prefix), ":")) {
            const std::string name = std::string(skill_prefix) + rest;
            if (last_use([&](const ToolUse& use) {
                    return use.tool == "skill_view" && text_argument(use, "name") == name;
                }) == nullptr) {
                calls.push_back({"skill_view", {{"name", name}}});
            }
        }
        return calls;
    }

    [[nodiscard]] std::vector<std::string> notes() const override {
        std::vector<std::string> found;
        for (const char* heading : {"MEMORY (your personal notes)", "USER PROFILE (who the user is)"}) {
            add_entries(found, section(scene_.system, heading, {"\n\nConversation started:"}));
        }
        for (const auto& use : scene_.uses) {
            if (use.tool == "skill_view" && !use.failed) {
                found.push_back(without_front_matter(string_at(payload(use.result), "/content"_json_pointer)));
            }
        }
        return found;
    }

    // A list of the latest chats, and a search for words that any chat holds; then each chat that came up, whole.
    [[nodiscard]] std::vector<Call> look_back() const override {
        if (!scene_.offers("session_search")) {
            return {};
        }
        if (!used(scene_.uses, "session_search")) {
            return {{"session_search", json::object()},
                    {"session_search", {{"query", "the OR and OR that OR my OR user"}, {"limit", 10}}}};
        }
        std::vector<std::string> ids;
        for (const auto& use : scene_.uses) {
            if (use.tool == "session_search" && !use.arguments.contains("session_id")) {
                collect(payload(use.result), "session_id", ids);
            } else if (use.tool == "session_search") {
                return {};
            }
        }
        std::vector<Call> calls;
        for (std::size_t i = 0; i < std::min(ids.size(), most_sessions); ++i) {
            calls.push_back({"session_search", {{"session_id", ids[i]}}});
        }
        return calls;
    }

  private:
    // The limits that Hermes keeps for its two files.
    static std::size_t capacity(const std::string& target) { return target == "user" ? 1'375 : 2'200; }

    // Characters the store holds: what the prompt said when the chat began, and what has been added since.
    [[nodiscard]] std::size_t taken(const std::string& target) const {
        const char* heading = target == "user" ? "USER PROFILE (who the user is) [" : "MEMORY (your personal notes) [";
        std::size_t sum = 0;
        // "[6% - 1,083/1,375 chars]", with a longer dash.
        for (const char c : section(section(scene_.system, heading, {"/"}), "% ", {"]"})) {
            sum = c >= '0' && c <= '9' && sum < capacity(target) ? sum * 10 + static_cast<std::size_t>(c - '0') : sum;
        }
        for (const auto& use : scene_.uses) {
            if (use.tool == "memory" && !use.failed && text_argument(use, "target") == target) {
                sum += code_points(text_argument(use, "content")) + 3;
            }
        }
        return sum;
    }

    [[nodiscard]] Call memory_call(const Note& note) const {
        const std::string target = note.destination == Destination::user ? "user" : "memory";
        const auto lines = fit(note.fresh, room(capacity(target), taken(target), turn()));
        return {"memory", {{"action", "add"}, {"target", target}, {"content", joined(lines, "", " ")}}};
    }

    [[nodiscard]] Call skill_call(const Note& note) const {
        const std::string before = skill_made_before("skill_manage");
        const std::string name = before.empty() ? new_skill_name(note) : before;
        const std::string text =
            "---\nname: " + name + "\ndescription: " + quoted(skill_description(note)) + "\n---\n\n" + skill_body(note);
        return {"skill_manage", {{"action", before.empty() ? "create" : "edit"}, {"name", name}, {"content", text}}};
    }

    // Entries of a block: below the second ruler, above the next, parted by lines that hold a section sign.
    static void add_entries(std::vector<std::string>& found, const std::string& block) {
        static const std::string ruler = "\xE2\x95\x90";
        const auto open = block.find(ruler);
        const auto begin = block.find('\n', open == std::string::npos ? 0 : open);
        if (open == std::string::npos || begin == std::string::npos) {
            return;
        }
        std::string body = block.substr(begin + 1);
        body = body.substr(0, body.find("\n\n" + ruler));
        static const std::string parting = "\n\xC2\xA7\n";
        for (std::size_t at = 0; at != std::string::npos;) {
            const auto end = body.find(parting, at);
            found.push_back(body.substr(at, end == std::string::npos ? end : end - at));
            at = end == std::string::npos ? end : end + parting.size();
        }
    }
};

class OpenClawTools : public KitBase {
  public:
    using KitBase::KitBase;

    [[nodiscard]] std::vector<Call> save(const Note& note) const override {
        const auto current = scene_.current_uses();
        switch (note.destination) {
            case Destination::user:
                return used(current, "edit") ? std::vector<Call>{} : std::vector<Call>{user_call(note)};
            case Destination::memory:
                return used(current, "write") ? std::vector<Call>{} : std::vector<Call>{memory_call(note)};
            case Destination::skill:
                return skill_calls(note, current);
        }
        return {};
    }

    [[nodiscard]] std::vector<Call> read_notes() const override {
        std::vector<Call> calls;
        for (const auto& path : all_between(scene_.system, "<location>", "</location>")) {
            const bool learned = path.find("/workshop-skills/") != std::string::npos;
            if (learned && last_use([&](const ToolUse& use) {
                               return use.tool == "read" && text_argument(use, "path") == path;
                           }) == nullptr) {
                calls.push_back({"read", {{"path", path}}});
            }
        }
        return calls;
    }

    [[nodiscard]] std::vector<std::string> notes() const override {
        std::vector<std::string> found;
        bool written = false;
        for (const auto& line : lines_of(file("USER.md"))) {
            if (line.starts_with("- ") && written) {
                found.push_back(line);
            } else if (!line.empty()) {
                // The profile's own example has no date where a written entry has one.
                written = line.starts_with(observed) && line.size() > observed.size() && line[observed.size()] <= '9';
            }
        }
        if (const std::string memory = file("MEMORY.md"); memory.find("\n- ") != std::string::npos) {
            found.push_back(memory.substr(memory.find("\n- ") + 1));
        }
        for (const auto& use : scene_.uses) {
            if (use.tool == "read" && !use.failed &&
                text_argument(use, "path").find("/workshop-skills/") != std::string::npos) {
                found.push_back(without_front_matter(use.result));
            }
        }
        return found;
    }

    // The list of chats, a search over all of them, and a file that only the first chat's machine has; then each other
    // chat, whole.
    [[nodiscard]] std::vector<Call> look_back() const override {
        if (!used(scene_.uses, "sessions_list")) {
            return {deferred("sessions_list", json::object()),
                    deferred("sessions_search", {{"query", "the"}, {"limit", 20}}),
                    {"read", {{"path", "~/.cache/pasb-canary"}, {"optional", true}}}};
        }
        if (used(scene_.uses, "sessions_history")) {
            return {};
        }
        std::vector<std::string> keys;
        for (const auto& use : scene_.uses) {
            if (use.tool == "sessions_list") {
                collect(payload(use.result), "key", keys);
            } else if (use.tool == "sessions_search") {
                collect(payload(use.result), "sessionKey", keys);
            }
        }
        std::vector<Call> calls;
        for (std::size_t i = 0; i < std::min(keys.size(), most_sessions); ++i) {
            calls.push_back(deferred("sessions_history", {{"sessionKey", keys[i]}}));
        }
        return calls;
    }

  private:
    static constexpr std::string_view observed = "<!-- observed: ";
    static constexpr std::size_t user_capacity =
        2'400;  // of the 4,000 that reach a prompt, the file as shipped takes a third
    static constexpr std::size_t memory_capacity = 8'000;

    // Most tools stand behind tool_call, unless the catalogue is switched off.
    [[nodiscard]] Call deferred(const std::string& tool, const json& arguments) const {
        return scene_.offers(tool) ? Call{tool, arguments} : Call{"tool_call", {{"id", tool}, {"args", arguments}}};
    }

    // A workspace file as the system prompt shows it.
    [[nodiscard]] std::string file(const std::string& name) const {
        return section(scene_.system, "/workspace/" + name + "\n", {"\n## /", "<!-- /openclaw:attempt"});
    }

    [[nodiscard]] Call user_call(const Note& note) const {
        std::size_t taken = 0;
        for (const auto& use : scene_.uses) {
            taken += use.tool == "edit" && !use.failed
                         ? code_points(use.arguments.dump(-1, ' ', false, json::error_handler_t::replace))
                         : 0;
        }
        const std::string date = scene_.date.empty() ? "0000-00-00" : scene_.date;
        const std::string lines = joined(fit(note.fresh, room(user_capacity, taken, turn())), "- ", "\n");
        const std::string entry =
            std::string(observed) + date + " | status: active -->\n\n" + lines + "\n\n## Related\n";
        return {"edit",
                {{"path", "USER.md"}, {"edits", json::array({{{"oldText", "## Related\n"}, {"newText", entry}}})}}};
    }

    [[nodiscard]] Call memory_call(const Note& note) const {
        std::string text = "# MEMORY.md\n\n";
        if (const ToolUse* last = last_use(
                [](const ToolUse& use) { return use.tool == "write" && text_argument(use, "path") == "MEMORY.md"; })) {
            text = text_argument(*last, "content");
        } else if (const std::string shown = file("MEMORY.md"); !shown.empty()) {
            text = shown.ends_with('\n') ? shown : shown + "\n";
        }
        const auto lines = fit(note.fresh, room(memory_capacity, code_points(text), turn()));
        return {"write", {{"path", "MEMORY.md"}, {"content", text + joined(lines, "- ", "\n") + "\n"}}};
    }

    // A skill takes several calls: a proposal (for a new skill, or for a change of one that has been read), then its
    // approval.
    [[nodiscard]] std::vector<Call> skill_calls(const Note& note, const std::vector<ToolUse>& current) const {
        const std::string before = skill_made_before("skill_workshop");
        const ToolUse* proposal = nullptr;
        bool has_read = false;
        for (const auto& use : current) {
            const std::string action = use.tool == "skill_workshop" ? text_argument(use, "action") : std::string{};
            if (action == "apply") {
                return {};
            }
            has_read = has_read || action == "read";
            proposal = action == "create" || action == "update" ? &use : proposal;
        }
        if (proposal != nullptr) {
            const json result = json::parse(proposal->result, nullptr, false);
            return {
                workshop({{"action", "apply"}, {"proposal_id", string_at(result, "/result/details/id"_json_pointer)}})};
        }
        if (before.empty()) {
            return {workshop({{"action", "create"},
                              {"name", new_skill_name(note)},
                              {"description", skill_description(note)},
                              {"proposal_content", skill_body(note)}})};
        }
        if (!has_read) {
            return {workshop({{"action", "read"}, {"skill_name", before}})};
        }
        return {workshop({{"action", "update"}, {"skill_name", before}, {"proposal_content", skill_body(note)}})};
    }

    [[nodiscard]] Call workshop(const json& arguments) const { return deferred("skill_workshop", arguments); }
};

// The scripted agent of this project's tests: one tool that appends to a note.
class SaveNoteTools : public KitBase {
  public:
    using KitBase::KitBase;

    [[nodiscard]] std::vector<Call> save(const Note& note) const override {
        if (used(scene_.current_uses(), "save_note")) {
            return {};
        }
        std::string file = note.destination == Destination::user ? "USER.md" : "MEMORY.md";
        std::string text = joined(note.fresh, "- ", "\n");
        if (note.destination == Destination::skill) {
            const ToolUse* made =
                last_use([](const ToolUse& use) { return text_argument(use, "file").starts_with("skills/"); });
            file = made != nullptr ? text_argument(*made, "file") : "skills/" + new_skill_name(note) + "/SKILL.md";
            text = made != nullptr ? text : skill_body(note);
        }
        return {{"save_note", {{"file", file}, {"text", text}}}};
    }

    [[nodiscard]] std::vector<Call> read_notes() const override { return {}; }

    // The agent puts each note into its system prompt under a heading that ends in the file's name.
    [[nodiscard]] std::vector<std::string> notes() const override {
        std::vector<std::string> found;
        bool inside = false;
        for (const auto& line : lines_of(scene_.system)) {
            const bool heading = line.starts_with('#') && (line.ends_with("USER.md") || line.ends_with("MEMORY.md") ||
                                                           line.ends_with("SKILL.md"));
            if (heading) {
                found.emplace_back();
                inside = true;
            } else if (inside) {
                found.back() += line + "\n";
            }
        }
        return found;
    }

    [[nodiscard]] std::vector<Call> look_back() const override { return {}; }
};

}  // namespace

std::unique_ptr<Tools> tools_for(const Scene& scene) {
    if (scene.offers("memory") || scene.offers("skill_manage")) {
        return std::make_unique<HermesTools>(scene);
    }
    if (scene.offers("edit") && scene.offers("write") && scene.offers("read")) {
        return std::make_unique<OpenClawTools>(scene);
    }
    if (scene.offers("save_note")) {
        return std::make_unique<SaveNoteTools>(scene);
    }
    return std::make_unique<NoTools>();
}

}  // namespace pasb::sim
