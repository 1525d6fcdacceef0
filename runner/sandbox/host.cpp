#include "sandbox/host.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "net/process.hpp"

namespace pasb {
namespace {

constexpr unsigned cap_sys_resource_bit = 24;
constexpr std::uint64_t wanted_nofile = 4096;
constexpr std::uint64_t wanted_nproc = 4096;

bool effective_capability(unsigned bit) {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.rfind("CapEff:", 0) == 0) {
            const std::uint64_t mask = std::stoull(line.substr(7), nullptr, 16);
            return ((mask >> bit) & 1U) != 0;
        }
    }
    return false;
}

std::uint64_t hard_limit(__rlimit_resource resource) {
    rlimit limit{};
    ::getrlimit(resource, &limit);
    return limit.rlim_max;
}

std::string pair_of(const char* name, std::uint64_t wanted, std::uint64_t hard) {
    const std::string value = std::to_string(std::min(wanted, hard));
    return "\"" + std::string(name) + "=" + value + ":" + value + "\"";
}

}  // namespace

HostFacts read_host_facts() {
    HostFacts host;
    host.root = ::geteuid() == 0;
    host.cap_sys_resource = effective_capability(cap_sys_resource_bit);
    host.cgroup_v2 = std::filesystem::exists("/sys/fs/cgroup/cgroup.controllers");
    host.cgroup_hybrid = std::filesystem::exists("/sys/fs/cgroup/unified/cgroup.procs");
    host.systemd = std::filesystem::exists("/run/systemd/system");
    host.nofile_hard = hard_limit(RLIMIT_NOFILE);
    host.nproc_hard = hard_limit(RLIMIT_NPROC);
    host.runc = !find_program("runc").empty();
    host.crun = !find_program("crun").empty();
    host.podman = !find_program("podman").empty();
    host.setpriv = !find_program("setpriv").empty();
    return host;
}

EngineSetup engine_setup(const HostFacts& host) {
    EngineSetup setup;
    std::ostringstream conf;
    conf << "[containers]\nhttp_proxy = false\nlog_driver = \"k8s-file\"\n";
    if (!host.cap_sys_resource) {
        conf << "default_ulimits = [" << pair_of("nofile", wanted_nofile, host.nofile_hard) << ", "
             << pair_of("nproc", wanted_nproc, host.nproc_hard) << "]\n";
        setup.remarks.emplace_back(
            "no CAP_SYS_RESOURCE: default ulimits are kept within the hard limits of this process");
    }
    conf << "[engine]\nevents_logger = \"file\"\nstop_timeout = 0\n"
         // Without this, each exec leaves a monitor process behind for five minutes.
         << "exit_command_delay = 20\n";
    if (!host.systemd || host.cgroup_hybrid) {
        conf << "cgroup_manager = \"cgroupfs\"\n";
        setup.remarks.emplace_back("no usable systemd: cgroups are managed by the engine itself (cgroupfs)");
    }
    if (!host.cgroup_v2 && host.runc) {
        conf << "runtime = \"runc\"\n";
        setup.remarks.emplace_back(host.cgroup_hybrid
                                       ? "cgroup v1 with a cgroup2 mount beside it: runc, because crun fails here"
                                       : "cgroup v1: runc");
    }
    setup.containers_conf = conf.str();
    return setup;
}

}  // namespace pasb
