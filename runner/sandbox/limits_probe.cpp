#include "sandbox/limits_probe.hpp"

#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace pasb {
namespace {

using nlohmann::json;

constexpr const char* script = R"(
show() { echo "== $1"; shift; for f in "$@"; do if [ -r "$f" ]; then cat "$f"; break; fi; done; }
show status /proc/1/status
show limits /proc/1/limits
show mounts /proc/mounts
show memory /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes
show swap /sys/fs/cgroup/memory.swap.max /sys/fs/cgroup/memory/memory.memsw.limit_in_bytes
show pids /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max
show cpu /sys/fs/cgroup/cpu.max
show quota /sys/fs/cgroup/cpu/cpu.cfs_quota_us
show period /sys/fs/cgroup/cpu/cpu.cfs_period_us
echo "== net"; ls /sys/class/net
echo "== userns"; if unshare --user true 2> /dev/null; then echo allowed; else echo refused; fi
)";

using Sections = std::map<std::string, std::string>;

Sections split_sections(const std::string& output) {
    Sections sections;
    std::string name;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("== ", 0) == 0) {
            name = line.substr(3);
        } else if (!name.empty()) {
            sections[name] += line + "\n";
        }
    }
    return sections;
}

std::optional<std::int64_t> number(const std::string& text) {
    try {
        return std::stoll(text);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

// The rest of the line that begins with `key`, without leading blanks.
std::string value_after(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(key, 0) == 0) {
            const auto begin = line.find_first_not_of(" \t:", key.size());
            return begin == std::string::npos ? "" : line.substr(begin);
        }
    }
    return {};
}

std::optional<std::int64_t> tmpfs_size(const std::string& mounts, const std::string& path) {
    std::istringstream lines(mounts);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("tmpfs " + path + " ", 0) != 0) {
            continue;
        }
        const auto at = line.find("size=");
        const auto kilobytes = at == std::string::npos ? std::nullopt : number(line.substr(at + 5));
        return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> cpus_in_force(const Sections& sections) {
    const auto find = [&](const char* name) {
        const auto it = sections.find(name);
        return it == sections.end() ? std::string() : it->second;
    };
    const std::string v2 = find("cpu");
    const auto quota = number(v2.empty() ? find("quota") : v2);
    const auto period = number(v2.empty() ? find("period") : v2.substr(std::min(v2.find(' '), v2.size() - 1)));
    if (!quota || !period || *quota <= 0 || *period <= 0) {
        return std::nullopt;
    }
    return static_cast<double>(*quota) / static_cast<double>(*period);
}

class Judge {
  public:
    // A limit is in force when what was found is no looser than what was asked.
    void number_at_most(const std::string& name, double asked, std::optional<double> found) {
        const bool ok = found && *found <= asked * 1.001;
        result_.limits[name] = {{"asked", asked}, {"in_force", found ? json(*found) : json(nullptr)}, {"ok", ok}};
        if (!ok) {
            std::ostringstream line;
            line.precision(15);
            line << "limit-not-in-force: " << name << ": asked " << asked << ", found ";
            if (found) {
                line << *found;
            } else {
                line << "none";
            }
            result_.warnings.push_back(line.str());
        }
    }

    void text_equals(const std::string& name, const std::string& asked, const std::string& found) {
        const bool ok = asked == found;
        result_.limits[name] = {
            {"asked", asked}, {"in_force", found.empty() ? json(nullptr) : json(found)}, {"ok", ok}};
        if (!ok) {
            result_.warnings.push_back("limit-not-in-force: " + name + ": asked " + asked + ", found " +
                                       (found.empty() ? "nothing" : found));
        }
    }

    void not_enforceable(const std::string& name, const std::string& why) {
        result_.limits[name] = {{"asked", nullptr}, {"in_force", nullptr}, {"ok", false}};
        result_.warnings.push_back("limit-not-available: " + name + ": " + why);
    }

    LimitsInForce result() { return std::move(result_); }

  private:
    LimitsInForce result_;
};

std::optional<double> as_double(std::optional<std::int64_t> value) {
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::string first_words(const std::string& text, int count) {
    std::istringstream words(text);
    std::string out;
    std::string word;
    for (int i = 0; i < count && words >> word; ++i) {
        out += (i > 0 ? " " : "") + word;
    }
    return out;
}

std::string slurp(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Where the controller's hierarchy has this process: a path below its mount.
std::map<std::string, std::string> cgroup_paths(std::int64_t pid) {
    std::map<std::string, std::string> paths;
    std::istringstream lines(slurp("/proc/" + std::to_string(pid) + "/cgroup"));
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (second == std::string::npos) {
            continue;
        }
        std::istringstream controllers(line.substr(first + 1, second - first - 1));
        const std::string path = line.substr(second + 1);
        std::string controller;
        if (controllers.str().empty()) {
            paths["unified"] = path;
        }
        while (std::getline(controllers, controller, ',')) {
            paths[controller] = path;
        }
    }
    return paths;
}

}  // namespace

std::vector<std::string> limits_probe_command() {
    return {"/bin/sh", "-c", script};
}

LimitsInForce judge_limits(const ContainerLimits& asked, const std::string& output) {
    const Sections sections = split_sections(output);
    const auto find = [&](const char* name) {
        const auto it = sections.find(name);
        return it == sections.end() ? std::string() : it->second;
    };
    const std::string status = find("status");
    const std::string limits = find("limits");
    Judge judge;
    judge.number_at_most("pids", static_cast<double>(asked.pids), as_double(number(find("pids"))));
    judge.number_at_most("memory_bytes", static_cast<double>(asked.memory_bytes), as_double(number(find("memory"))));
    // cgroup v1 counts memory and swap together, v2 swap alone; either way no more than the memory limit may be found.
    judge.number_at_most("swap_bytes", static_cast<double>(asked.memory_bytes), as_double(number(find("swap"))));
    judge.number_at_most("cpus", asked.cpus, cpus_in_force(sections));
    judge.number_at_most("tmp_bytes", static_cast<double>(asked.tmp_bytes),
                         as_double(tmpfs_size(find("mounts"), "/tmp")));
    judge.number_at_most("file_bytes", static_cast<double>(asked.file_bytes),
                         as_double(number(value_after(limits, "Max file size"))));
    judge.number_at_most("open_files", static_cast<double>(asked.open_files),
                         as_double(number(value_after(limits, "Max open files"))));
    judge.number_at_most("processes", static_cast<double>(asked.processes),
                         as_double(number(value_after(limits, "Max processes"))));
    judge.text_equals("capabilities", "0000000000000000", value_after(status, "CapEff"));
    judge.text_equals("capability_bounding_set", "0000000000000000", value_after(status, "CapBnd"));
    judge.text_equals("no_new_privileges", "1", value_after(status, "NoNewPrivs"));
    judge.text_equals("seccomp", "2", value_after(status, "Seccomp"));
    judge.text_equals("user", "10001 10001 10001 10001", first_words(value_after(status, "Uid"), 4));
    judge.text_equals("network", "lo", first_words(find("net"), 10));
    if (first_words(find("userns"), 1) != "refused") {
        judge.not_enforceable("user_namespaces",
                              "the engine's default seccomp profile lets the agent make user namespaces of its own");
    }
    judge.not_enforceable("home_bytes",
                          "engines cannot size a container's layer here; one file is limited, their sum is not");
    return judge.result();
}

CgroupUsage read_cgroup_usage(std::int64_t pid) {
    CgroupUsage usage;
    if (pid <= 0) {
        return usage;
    }
    auto paths = cgroup_paths(pid);
    const std::string root = "/sys/fs/cgroup";
    const std::string unified = root + paths["unified"];
    if (const auto nanoseconds = number(slurp(root + "/cpuacct" + paths["cpuacct"] + "/cpuacct.usage"))) {
        usage.cpu_s = static_cast<double>(*nanoseconds) / 1e9;
    } else if (const auto microseconds = number(value_after(slurp(unified + "/cpu.stat"), "usage_usec"))) {
        usage.cpu_s = static_cast<double>(*microseconds) / 1e6;
    }
    const std::string v1_memory = root + "/memory" + paths["memory"];
    if (const auto peak = number(slurp(v1_memory + "/memory.max_usage_in_bytes"))) {
        usage.peak_memory = *peak;
    } else if (const auto peak_v2 = number(slurp(unified + "/memory.peak"))) {
        usage.peak_memory = *peak_v2;
    }
    if (const auto kills = number(value_after(slurp(v1_memory + "/memory.oom_control"), "oom_kill "))) {
        usage.oom_kills = *kills;
    } else if (const auto kills_v2 = number(value_after(slurp(unified + "/memory.events"), "oom_kill "))) {
        usage.oom_kills = *kills_v2;
    }
    return usage;
}

}  // namespace pasb
