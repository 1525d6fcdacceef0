// What the host allows, as far as it decides how a container engine must be set up, and the private containers.conf
// that follows from it. Reading the facts is IO; deciding from them is pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pasb {

struct HostFacts {
    bool root = false;
    bool cap_sys_resource = false;  // may raise hard limits, which the engines' default ulimits need
    bool cgroup_v2 = false;         // pure cgroup v2 at /sys/fs/cgroup
    bool cgroup_hybrid = false;     // v1 controllers with a cgroup2 mount beside them
    bool systemd = false;           // systemd manages the cgroups
    std::uint64_t nofile_hard = 0;  // this process's hard limits
    std::uint64_t nproc_hard = 0;
    bool runc = false;  // programs in PATH
    bool crun = false;
    bool podman = false;
    bool setpriv = false;
};

HostFacts read_host_facts();

struct EngineSetup {
    std::string containers_conf;       // TOML text
    std::vector<std::string> remarks;  // one line a decision, for `pasb doctor` and the log
};

// Storage and run-time folders stay the engine's own: Podman pins them in its database.
EngineSetup engine_setup(const HostFacts& host);

}  // namespace pasb
