// Finds a container engine on this machine, or starts a private Podman service. Not an installer: `make setup`
// installs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/process.hpp"
#include "sandbox/engine.hpp"
#include "sandbox/host.hpp"

namespace pasb {

struct FoundEngine {
    std::unique_ptr<BackgroundProcess> service;  // only where one was started; must outlive the engine's last call
    std::unique_ptr<Engine> engine;
    std::string how;                   // "socket /run/podman/podman.sock", "private podman service"
    std::vector<std::string> remarks;  // what the host made necessary
};

// `wanted`: empty (whatever is found first), "podman", "docker", or unix:///path. Order: DOCKER_HOST, CONTAINER_HOST,
// the usual sockets, then a private service with its files in `folder`. Throws EngineError (unreachable) that lists
// what was tried, InputError for a wanted engine that is no local socket (the sandbox needs bind mounts from this
// machine).
FoundEngine find_engine(const std::string& wanted, const std::string& folder, const Deadline& deadline);

}  // namespace pasb
