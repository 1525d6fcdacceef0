#include "agent/adapter_file.hpp"

#include <algorithm>

#include "model/errors.hpp"
#include "net/file.hpp"
#include "wire/digest.hpp"
#include "wire/json_template.hpp"
#include "wire/yaml_value.hpp"

namespace pasb {
namespace {

constexpr int longest_wait_s = 24 * 60 * 60;

constexpr std::string_view lower_letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view digits = "0123456789";

// The words in which the file may be named elsewhere: folders, image tags, run ids.
std::string slug(const YamlValue& value) {
    std::string text = value.text();
    if (text.find_first_not_of(std::string(lower_letters) + std::string(digits) + "-") != std::string::npos) {
        value.fail("'" + text + "' may hold a-z, 0-9 and - only");
    }
    return text;
}

bool has_dot_segment(std::string_view path) {
    const std::string framed = "/" + std::string(path) + "/";
    return framed.find("/../") != std::string::npos || framed.find("/./") != std::string::npos;
}

std::string relative_path(const YamlValue& value) {
    std::string path = value.text();
    if (path.front() == '/' || path.back() == '/' || has_dot_segment(path)) {
        value.fail("'" + path + "' is no path below home; write it like .cache/name");
    }
    return path;
}

std::string absolute_path(const YamlValue& value) {
    std::string path = value.text();
    if (path.front() != '/' || path.size() == 1 || path.back() == '/' || has_dot_segment(path)) {
        value.fail("'" + path + "' is no absolute path; write it like /home/agent");
    }
    return path;
}

// A glob, relative to home or absolute.
std::string glob(const YamlValue& value) {
    std::string match = value.text();
    if (match.back() == '/' || has_dot_segment(match)) {
        value.fail("'" + match + "' matches no path; for all that is below a folder write folder/**");
    }
    return match;
}

std::string json_pointer(const YamlValue& value) {
    std::string pointer = value.text();
    try {
        [[maybe_unused]] const nlohmann::json::json_pointer parsed(pointer);
    } catch (const nlohmann::json::parse_error&) {
        value.fail("'" + pointer + "' is no JSON pointer; write it like /choices/0/message/content");
    }
    return pointer;
}

PathKind path_kind(const YamlValue& value) {
    PathKind kind{};
    try {
        kind = path_kind_from(value.text());
    } catch (const InputError& error) {
        value.fail(error.what());
    }
    if (kind == PathKind::unknown) {
        value.fail("unknown is what no rule matches; leave such paths out");
    }
    return kind;
}

using Names = std::vector<std::string_view>;

void allow_placeholders(const YamlValue& value, const std::vector<std::string>& found, const Names& allowed) {
    for (const std::string& name : found) {
        if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) {
            continue;
        }
        std::string list;
        for (const std::string_view known : allowed) {
            list.append(list.empty() ? "{{" : ", {{").append(known).append("}}");
        }
        value.fail("{{" + name + "}} cannot stand here; " + (list.empty() ? "nothing is filled in" : "use " + list));
    }
}

std::string text_with(const YamlValue& value, const Names& allowed) {
    std::string text = value.text();
    allow_placeholders(value, template_names(text), allowed);
    return text;
}

// What ready and turn have in common, once their keys are checked.
HttpCall http_call(const YamlValue& value, const Names& in_head, const Names& in_body) {
    HttpCall call;
    const YamlValue method = value.at("method");
    call.method = method.text();
    if (call.method != "GET" && call.method != "POST" && call.method != "PUT") {
        method.fail("'" + call.method + "' is no method that is used here; use GET, POST or PUT");
    }
    const YamlValue path = value.at("path");
    call.path = text_with(path, in_head);
    if (call.path.front() != '/') {
        path.fail("'" + call.path + "' does not begin with /");
    }
    if (const auto headers = value.find("headers")) {
        call.headers = headers->text_map();
        for (const auto& [name, text] : call.headers) {
            allow_placeholders(*headers, template_names(text), in_head);
        }
    }
    if (const auto body = value.find("body")) {
        call.body = body->json();
        allow_placeholders(*body, json_template_names(call.body), in_body);
    }
    if (const auto status = value.find("status")) {
        call.status = status->number(100, 599);
    }
    call.deadline_s = value.at("deadline_s").number(1, longest_wait_s);
    return call;
}

HttpCall ready_call(const YamlValue& value) {
    value.allow_keys({"method", "path", "headers", "body", "status", "deadline_s"});
    return http_call(value, {}, {});
}

HttpCall turn_call(const YamlValue& value) {
    value.allow_keys({"method", "path", "headers", "body", "status", "deadline_s", "reply"});
    // No {{text}} in the path or a header: a user's text may hold line ends.
    HttpCall call = http_call(value, {"session", "run"}, {"text", "session", "run"});
    const std::vector<std::string> in_body = json_template_names(call.body);
    if (std::find(in_body.begin(), in_body.end(), "text") == in_body.end()) {
        value.fail("the body holds no {{text}}; without it no turn reaches the agent");
    }
    call.reply = json_pointer(value.at("reply"));
    return call;
}

std::vector<PathRule> path_rules(const YamlValue& value) {
    std::vector<PathRule> rules;
    for (const YamlValue& item : value.items()) {
        item.allow_keys({"match", "kind"});
        rules.push_back({glob(item.at("match")), path_kind(item.at("kind"))});
    }
    if (rules.empty()) {
        value.fail("no rule; without one every path is unknown");
    }
    return rules;
}

std::vector<PathKind> path_kinds(const YamlValue& value) {
    std::vector<PathKind> kinds;
    for (const YamlValue& item : value.items()) {
        kinds.push_back(path_kind(item));
    }
    return kinds;
}

std::vector<WriteTool> write_tools(const YamlValue& value) {
    std::vector<WriteTool> tools;
    for (const YamlValue& item : value.items()) {
        item.allow_keys({"tool", "path_argument", "via"});
        WriteTool tool;
        tool.tool = item.at("tool").text();
        if (const auto argument = item.find("path_argument")) {
            tool.path_argument = argument->text();
        }
        if (const auto via = item.find("via")) {
            via->allow_keys({"tool", "name", "arguments"});
            tool.via_tool = via->at("tool").text();
            tool.via_name = json_pointer(via->at("name"));
            tool.via_arguments = json_pointer(via->at("arguments"));
        }
        tools.push_back(tool);
    }
    return tools;
}

std::vector<Stated> stated(const YamlValue& root, const std::string& key) {
    std::vector<Stated> all;
    if (const auto value = root.find(key)) {
        for (const YamlValue& item : value->items()) {
            item.allow_keys({"what", "why"});
            all.push_back({item.at("what").text(), item.at("why").text()});
        }
    }
    return all;
}

void read_flush(const YamlValue& value, Adapter& adapter) {
    value.allow_keys({"paper_s", "quiet_s", "cap_s"});
    adapter.flush_paper_s = value.at("paper_s").number(0, longest_wait_s);
    adapter.flush_quiet_s = value.at("quiet_s").number(1, longest_wait_s);
    adapter.flush_cap_s = value.at("cap_s").number(adapter.flush_quiet_s, longest_wait_s);
}

}  // namespace

Adapter parse_adapter(std::string_view text, const std::string& filename) {
    const YamlValue root = YamlValue::parse(text, filename);
    root.allow_keys({"framework", "version", "image", "home", "start", "env", "control", "sessions", "flush", "canary",
                     "paths", "crosses", "write_tools", "deviations", "decisions"});
    Adapter adapter;
    adapter.framework = slug(root.at("framework"));
    adapter.version = root.at("version").text();
    adapter.image = slug(root.at("image"));
    adapter.home = absolute_path(root.at("home"));
    adapter.start = root.at("start").texts();
    if (adapter.start.empty()) {
        root.at("start").fail("no command");
    }
    if (const auto env = root.find("env")) {
        adapter.env = env->text_map();
    }
    const YamlValue control = root.at("control");
    control.allow_keys({"ready", "turn"});
    adapter.ready = ready_call(control.at("ready"));
    adapter.turn = turn_call(control.at("turn"));
    const YamlValue sessions = root.at("sessions");
    sessions.allow_keys({"first_chat", "follow_up"});
    adapter.first_session = text_with(sessions.at("first_chat"), {"run"});
    adapter.follow_up_session = text_with(sessions.at("follow_up"), {"run"});
    read_flush(root.at("flush"), adapter);
    adapter.canary = relative_path(root.at("canary"));
    adapter.paths = path_rules(root.at("paths"));
    adapter.crosses = path_kinds(root.at("crosses"));
    adapter.write_tools = write_tools(root.at("write_tools"));
    adapter.deviations = stated(root, "deviations");
    adapter.decisions = stated(root, "decisions");
    adapter.sha256 = sha256_hex(text);
    return adapter;
}

Adapter load_adapter(const std::string& folder) {
    const std::string filename = folder + "/adapter.yaml";
    Adapter adapter = parse_adapter(read_file(filename), filename);
    adapter.folder = folder;
    return adapter;
}

}  // namespace pasb
