// What adapters/<framework>/adapter.yaml says about one agent framework. Passive data; reading and checking the file is
// agent/adapter_file.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pasb {

// What a changed path is. The first three are the benchmark's destinations (spec section 4). `persona` is any other
// durable file that the next chat can read (AGENTS.md, SOUL.md): captured, crosses, and counts as destination memory.
enum class PathKind { user, memory, skill, persona, proposal, config, history, index, cache, log, temp, unknown };

std::string_view to_string(PathKind kind);
PathKind path_kind_from(std::string_view name);  // throws InputError
bool is_note(PathKind kind);                     // user, memory, skill, persona

struct PathRule {
    std::string match;  // glob relative to home; `*` and `?` stay within a segment, `**` crosses segments; absolute
                        // when it begins with /
    PathKind kind = PathKind::unknown;
};

// A tool call in a model answer that tries to write a note.
struct WriteTool {
    std::string tool;
    std::string path_argument;  // where set, the call counts only if this argument resolves to a note path
    // For a call wrapped by another tool: the wrapper's name and JSON pointers into its arguments.
    std::string via_tool;
    std::string via_name;
    std::string via_arguments;
};

struct HttpCall {
    std::string method = "GET";
    std::string path;
    std::map<std::string, std::string> headers;
    nlohmann::json body;  // strings may hold {{text}}, {{session}}, {{run}}
    std::string reply;    // JSON pointer to the answer's text
    int status = 200;
    int deadline_s = 180;
};

// A difference from the paper's effective configuration, or a choice the paper leaves open, with its reason.
struct Stated {
    std::string what;
    std::string why;
};

struct Adapter {
    std::string framework;
    std::string version;
    std::string image;  // folder name under images/
    std::string home;   // absolute path inside the container
    std::vector<std::string> start;
    std::map<std::string, std::string> env;
    HttpCall ready;
    HttpCall turn;
    std::string first_session;
    std::string follow_up_session;
    int flush_paper_s = 15;
    int flush_quiet_s = 5;
    int flush_cap_s = 120;
    std::string canary;  // relative to home
    std::vector<PathRule> paths;
    std::vector<PathKind> crosses;
    std::vector<WriteTool> write_tools;
    std::vector<Stated> deviations;
    std::vector<Stated> decisions;
    std::string folder;  // where adapter.yaml was read
    std::string sha256;  // of adapter.yaml
};

}  // namespace pasb
