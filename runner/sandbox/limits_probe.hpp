// Reads back, from inside a container, which limits are really in force, and what a container has used. Asking is IO
// (the script runs by exec); judging the answer is pure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sandbox/engine.hpp"

namespace pasb {

struct LimitsInForce {
    nlohmann::json limits =
        nlohmann::json::object();       // name -> {asked, in_force, ok}; in_force null where it cannot be read
    std::vector<std::string> warnings;  // "limit-not-in-force: memory: asked 3221225472, found unlimited"
};

// A POSIX shell script; it prints `== section` lines and the raw contents of kernel files.
std::vector<std::string> limits_probe_command();

// `output` is what the script printed.
LimitsInForce judge_limits(const ContainerLimits& asked, const std::string& output);

// Counters of a container's cgroup, read from the host's side: free of charge for the container. Negative where they
// cannot be read.
struct CgroupUsage {
    double cpu_s = -1;              // all processes of the container so far
    std::int64_t peak_memory = -1;  // bytes
    std::int64_t oom_kills = -1;
};

CgroupUsage read_cgroup_usage(std::int64_t pid);

}  // namespace pasb
