#include "agent/adapter_file.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

const std::string whole = R"(framework: scripted
version: 1.0
image: scripted-agent
home: /home/agent
start: [/opt/pasb/enter, /opt/agent]
env: {AGENT_HOME: /home/agent}
control:
  ready: {method: GET, path: /ready, deadline_s: 30}
  turn:
    method: POST
    path: "/turn/{{session}}"
    headers: {X-Session: "{{session}}"}
    body: {messages: [{role: user, content: "{{text}}"}], stream: false, user: "{{run}}"}
    reply: /choices/0/message/content
    status: 201
    deadline_s: 900
sessions: {first_chat: "first-{{run}}", follow_up: "follow-{{run}}"}
flush: {paper_s: 15, quiet_s: 5, cap_s: 120}
canary: .cache/pasb-canary
paths:
  - {match: "notes/USER.md", kind: user}
  - {match: "skills/**", kind: skill}
crosses: [user, skill]
write_tools:
  - {tool: remember}
  - {tool: write, path_argument: path}
  - {tool: workshop, via: {tool: tool_call, name: /id, arguments: /args}}
deviations:
  - {what: one process, why: reviews need it}
)";

std::string with(const std::string& from, const std::string& to) {
    std::string text = whole;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
    try {
        parse_adapter(text, "a.yaml");
        return "(no error)";
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(ParseAdapter, ReadsEveryField) {
    const Adapter adapter = parse_adapter(whole, "a.yaml");
    EXPECT_EQ(adapter.framework, "scripted");
    EXPECT_EQ(adapter.version, "1.0");
    EXPECT_EQ(adapter.image, "scripted-agent");
    EXPECT_EQ(adapter.home, "/home/agent");
    EXPECT_EQ(adapter.start, (std::vector<std::string>{"/opt/pasb/enter", "/opt/agent"}));
    EXPECT_EQ(adapter.env.at("AGENT_HOME"), "/home/agent");
    EXPECT_EQ(adapter.ready.path, "/ready");
    EXPECT_EQ(adapter.ready.status, 200);
    EXPECT_EQ(adapter.ready.deadline_s, 30);
    EXPECT_EQ(adapter.turn.method, "POST");
    EXPECT_EQ(adapter.turn.headers.at("X-Session"), "{{session}}");
    EXPECT_EQ(adapter.turn.body.at("messages").at(0).at("content"), "{{text}}");
    EXPECT_EQ(adapter.turn.body.at("stream"), false);
    EXPECT_EQ(adapter.turn.reply, "/choices/0/message/content");
    EXPECT_EQ(adapter.turn.status, 201);
    EXPECT_EQ(adapter.first_session, "first-{{run}}");
    EXPECT_EQ(adapter.follow_up_session, "follow-{{run}}");
    EXPECT_EQ(adapter.flush_cap_s, 120);
    EXPECT_EQ(adapter.canary, ".cache/pasb-canary");
    ASSERT_EQ(adapter.paths.size(), 2U);
    EXPECT_EQ(adapter.paths[1].match, "skills/**");
    EXPECT_EQ(adapter.paths[1].kind, PathKind::skill);
    EXPECT_EQ(adapter.crosses, (std::vector<PathKind>{PathKind::user, PathKind::skill}));
    ASSERT_EQ(adapter.write_tools.size(), 3U);
    EXPECT_EQ(adapter.write_tools[1].path_argument, "path");
    EXPECT_EQ(adapter.write_tools[2].via_tool, "tool_call");
    EXPECT_EQ(adapter.write_tools[2].via_arguments, "/args");
    ASSERT_EQ(adapter.deviations.size(), 1U);
    EXPECT_EQ(adapter.deviations[0].why, "reviews need it");
    EXPECT_TRUE(adapter.decisions.empty());
    EXPECT_EQ(adapter.sha256, sha256_hex(whole));
    EXPECT_EQ(adapter.folder, "");
}

struct Mistake {
    std::string from;
    std::string to;
    std::string message;  // beginning
};

TEST(ParseAdapter, NamesEachMistake) {
    const std::vector<Mistake> mistakes{
        {"version: 1.0\n", "", "a.yaml:1: version: missing; add it"},
        {"version:", "verison:", "a.yaml:2: verison: unknown key; use one of framework, version, "},
        {"framework: scripted", "framework: Scripted", "a.yaml:1: framework: 'Scripted' may hold"},
        {"image: scripted-agent", "image: ../x", "a.yaml:3: image: '../x' may hold"},
        {"home: /home/agent", "home: home/agent", "a.yaml:4: home: 'home/agent' is no absolute path"},
        {"home: /home/agent", "home: /home/../agent", "a.yaml:4: home: '/home/../agent' is no absolute path"},
        {"start: [/opt/pasb/enter, /opt/agent]", "start: []", "a.yaml:5: start: no command"},
        {"start: [/opt/pasb/enter, /opt/agent]", "start: /opt/agent",
         "a.yaml:5: start: is a single value; write a list"},
        {"method: GET", "method: FETCH", "a.yaml:8: control.ready.method: 'FETCH' is no method"},
        {"path: /ready", "path: ready", "a.yaml:8: control.ready.path: 'ready' does not begin with /"},
        {"path: /ready", "path: \"/{{run}}\"",
         "a.yaml:8: control.ready.path: {{run}} cannot stand here; nothing is filled in"},
        {"deadline_s: 30", "deadline_s: soon", "a.yaml:8: control.ready.deadline_s: 'soon' is no whole number"},
        {"deadline_s: 30", "deadline_s: 0", "a.yaml:8: control.ready.deadline_s: '0' is no whole number from 1"},
        {"X-Session: \"{{session}}\"", "X-Text: \"{{text}}\"",
         "a.yaml:12: control.turn.headers: {{text}} cannot stand here; use {{session}}, {{run}}"},
        {"user: \"{{run}}\"", "user: \"{{name}}\"",
         "a.yaml:13: control.turn.body: {{name}} cannot stand here; use {{text}}, {{session}}, {{run}}"},
        {"content: \"{{text}}\"", "content: \"text\"", "a.yaml:10: control.turn: the body holds no {{text}}"},
        {"reply: /choices/0", "reply: choices/0",
         "a.yaml:14: control.turn.reply: 'choices/0/message/content' is no JSON pointer"},
        {"status: 201", "status: 20", "a.yaml:15: control.turn.status: '20' is no whole number from 100 to 599"},
        {"first-{{run}}", "first-{{session}}",
         "a.yaml:17: sessions.first_chat: {{session}} cannot stand here; use {{run}}"},
        {"cap_s: 120", "cap_s: 4", "a.yaml:18: flush.cap_s: '4' is no whole number from 5"},
        {"canary: .cache/pasb-canary", "canary: /tmp/x", "a.yaml:19: canary: '/tmp/x' is no path below home"},
        {"canary: .cache/pasb-canary", "canary: ../x", "a.yaml:19: canary: '../x' is no path below home"},
        {"kind: user}", "kind: profile}",
         "a.yaml:21: paths[0].kind: unknown path kind 'profile': use one of user, memory"},
        {"kind: skill}", "kind: unknown}", "a.yaml:22: paths[1].kind: unknown is what no rule matches"},
        {"skills/**", "skills/", "a.yaml:22: paths[1].match: 'skills/' matches no path"},
        {", kind: skill}", "}", "a.yaml:22: paths[1].kind: missing; add it"},
        {"crosses: [user, skill]", "crosses: [notes]", "a.yaml:23: crosses[0]: unknown path kind 'notes'"},
        {"name: /id", "name: id", "a.yaml:27: write_tools[2].via.name: 'id' is no JSON pointer"},
        {", why: reviews need it", "", "a.yaml:29: deviations[0].why: missing; add it"},
        {"flush: {", "flush: {{", "a.yaml:18: "},
    };
    for (const Mistake& mistake : mistakes) {
        EXPECT_EQ(error_of(with(mistake.from, mistake.to)).substr(0, mistake.message.size()), mistake.message);
    }
}

// Such adapters break the cut, which the run has to find out; they are no mistake of form.
TEST(ParseAdapter, AcceptsOneSessionForBothChatsAndHistoryThatCrosses) {
    EXPECT_EQ(error_of(with("follow-{{run}}", "first-{{run}}")), "(no error)");
    EXPECT_EQ(error_of(with("crosses: [user, skill]", "crosses: [user, history]")), "(no error)");
}

TEST(LoadAdapter, SaysWhichFileCannotBeRead) {
    try {
        load_adapter("/nowhere");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()), "/nowhere/adapter.yaml: cannot be read: No such file or directory");
    }
}

}  // namespace
}  // namespace pasb
