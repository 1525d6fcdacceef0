// Bodies of the container engine's HTTP API -> nouns. A missing key takes its default, since Docker and Podman leave
// out different ones; a body that is no JSON, or holds another type than the API says, throws EngineError (broken). No
// calls are made here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/change.hpp"

namespace pasb {

// The reason in an error body: Docker's "message", Podman's "message" (with "cause" where it says more), else the
// body's beginning.
std::string engine_error_text(std::string_view body);

struct ContainerState {
    std::string id;
    std::string name;      // without the leading slash
    std::string image_id;  // "sha256:..."
    std::string status;    // created, running, exited, ...
    bool running = false;
    bool oom_killed = false;  // Podman leaves it false when the main process was killed; not proof of the contrary
    std::int64_t exit_code = 0;
    std::int64_t pid = 0;
    std::map<std::string, std::string> labels;
};

ContainerState parse_container(std::string_view body);

struct ContainerSummary {
    std::string id;
    std::vector<std::string> names;  // without the leading slash
    std::string image_id;
    std::string state;
    std::map<std::string, std::string> labels;
};

std::vector<ContainerSummary> parse_container_list(std::string_view body);

struct ImageInfo {
    std::string id;  // "sha256:..." of the image's configuration
    std::vector<std::string> tags;
    std::vector<std::string> layers;   // digests of the uncompressed layers, lowest first
    std::vector<std::string> volumes;  // an image that declares one hides what is written there from the capture
    std::map<std::string, std::string> labels;
    std::string user;
    std::int64_t size = 0;  // bytes
};

ImageInfo parse_image(std::string_view body);
// The list knows neither layers nor volumes nor the user.
std::vector<ImageInfo> parse_image_list(std::string_view body);

struct EngineChange {
    std::string path;  // absolute; bytes that are not UTF-8 arrive replaced by U+FFFD from both engines
    ChangeType change = ChangeType::modified;
};

std::vector<EngineChange> parse_changes(std::string_view body);

struct EngineVersion {
    bool podman = false;
    std::string version;
    std::string api_version;
    std::string min_api_version;
};

EngineVersion parse_version(std::string_view body);

struct EngineInfo {
    std::string cgroup_version;  // "1" or "2"; empty when the engine does not say
    std::string cgroup_driver;
    std::string storage_driver;
    std::string default_runtime;
    std::vector<std::string> runtimes;
    std::vector<std::string> security_options;
    bool rootless = false;
    bool seccomp = false;
    bool memory_limit = false;
    bool pids_limit = false;
    bool cpu_quota = false;
    std::int64_t cpus = 0;
    std::int64_t memory_bytes = 0;
};

EngineInfo parse_info(std::string_view body);

struct ExecState {
    bool running = false;
    std::optional<std::int64_t> exit_code;  // nothing while it runs; before its start nothing (Docker) or 0 (Podman)
    std::int64_t pid = 0;
};

ExecState parse_exec(std::string_view body);

// Ids in the answers to create a container or an exec, and the status code in the answer to wait.
std::string parse_created_id(std::string_view body);
std::int64_t parse_wait_status(std::string_view body);

}  // namespace pasb
