#include "sandbox/engine_finder.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "model/errors.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

struct Candidate {
    std::string url;
    std::string origin;
};

std::vector<Candidate> candidates() {
    std::vector<Candidate> list;
    for (const char* name : {"DOCKER_HOST", "CONTAINER_HOST"}) {
        if (const std::string url = variable(name); !url.empty()) {
            list.push_back({url, name});
        }
    }
    const std::string runtime = variable("XDG_RUNTIME_DIR");
    if (::geteuid() != 0 && !runtime.empty()) {
        list.push_back({"unix://" + runtime + "/podman/podman.sock", "socket"});
        list.push_back({"unix://" + runtime + "/docker.sock", "socket"});
    } else {
        list.push_back({"unix:///run/podman/podman.sock", "socket"});
    }
    list.push_back({"unix:///var/run/docker.sock", "socket"});
    return list;
}

Endpoint local_endpoint(const std::string& url) {
    const BaseUrl base = parse_base_url(url);
    if (base.endpoint.unix_path.empty()) {
        throw InputError("engine '" + url +
                         "' is not on this machine: the sandbox bind-mounts sockets, so use unix:///path");
    }
    return base.endpoint;
}

bool fits(const Engine& engine, const std::string& wanted) {
    return wanted.empty() || engine.quirks().name == wanted;
}

FoundEngine start_private_podman(const std::string& folder, const Deadline& deadline) {
    const EngineSetup setup = engine_setup(read_host_facts());
    const std::string conf = folder + "/containers.conf";
    std::ofstream(conf) << setup.containers_conf;
    const std::string socket = folder + "/engine.sock";
    FoundEngine found;
    found.how = "private podman service";
    found.remarks = setup.remarks;
    found.service = BackgroundProcess::start(
        {{"podman", "system", "service", "--time=0", "unix://" + socket}, {{"CONTAINERS_CONF", conf}}, "/"},
        folder + "/engine.log");
    Endpoint endpoint;
    endpoint.unix_path = socket;
    const Deadline start_deadline = deadline.within(30s);
    while (found.service->running() && !start_deadline.passed() && !start_deadline.cancelled()) {
        if (std::filesystem::exists(socket)) {
            try {
                found.engine = std::make_unique<Engine>(endpoint, start_deadline);
                return found;
            } catch (const EngineError& error) {
                if (error.kind() != EngineError::Kind::unreachable) {
                    throw;
                }
            }
        }
        std::this_thread::sleep_for(50ms);
    }
    std::ifstream log(folder + "/engine.log");
    const std::string said((std::istreambuf_iterator<char>(log)), {});
    throw EngineError(EngineError::Kind::unreachable, 0, "podman system service did not start: " + said.substr(0, 500));
}

}  // namespace

FoundEngine find_engine(const std::string& wanted, const std::string& folder, const Deadline& deadline) {
    if (wanted.find("://") != std::string::npos) {
        FoundEngine found;
        found.engine = std::make_unique<Engine>(local_endpoint(wanted), deadline);
        found.how = wanted;
        return found;
    }
    if (!wanted.empty() && wanted != "podman" && wanted != "docker") {
        throw InputError("engine '" + wanted + "' is not known: use podman, docker or unix:///path/to/socket");
    }
    std::string tried;
    for (const Candidate& candidate : candidates()) {
        tried += (tried.empty() ? "" : ", ") + candidate.url;
        try {
            FoundEngine found;
            found.engine = std::make_unique<Engine>(local_endpoint(candidate.url), deadline.within(10s));
            if (fits(*found.engine, wanted)) {
                found.how = candidate.origin + " " + candidate.url;
                return found;
            }
        } catch (const EngineError&) {
            // Nobody listens there, or nobody we understand: the next one may do.
            continue;
        }
    }
    if (wanted != "docker" && !find_program("podman").empty()) {
        return start_private_podman(folder, deadline);
    }
    throw EngineError(EngineError::Kind::unreachable, 0,
                      "no container engine found (tried " + tried +
                          "; podman is not installed): run `make setup`, or set DOCKER_HOST");
}

}  // namespace pasb
