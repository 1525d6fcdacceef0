// A container engine over its Docker-compatible HTTP API. Knows containers and images, nothing of agents or benchmarks.
// Every call takes a deadline and throws EngineError; calls are independent, so one Engine may be used from many
// threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/change.hpp"
#include "net/deadline.hpp"
#include "net/http_client.hpp"
#include "wire/archive.hpp"
#include "wire/engine_json.hpp"

namespace pasb {

struct ContainerLimits {
    std::int64_t pids = 512;
    std::int64_t memory_bytes = std::int64_t{3} << 30;  // swap is set to the same, so none is added
    double cpus = 2.0;
    std::int64_t tmp_bytes = std::int64_t{256} << 20;  // size of /tmp
    std::int64_t file_bytes = std::int64_t{1} << 30;   // largest single file (RLIMIT_FSIZE)
    std::int64_t open_files = 4096;
    std::int64_t processes = 4096;  // RLIMIT_NPROC of the uid, beside the pids limit
};

struct ContainerSpec {
    std::string name;
    std::string image;
    std::vector<std::string> command;
    std::map<std::string, std::string> env;
    std::string user;       // numeric uid:gid
    std::string folder;     // working folder inside
    std::string bind_host;  // the one bind-mounted folder
    std::string bind_inside;
    std::map<std::string, std::string> labels;
    ContainerLimits limits;
};

struct ExecResult {
    int exit_code = -1;  // -1 unknown
    std::string output;  // stdout
    std::string errors;  // stderr
};

// Where the two engines differ, in one table (shared facts/engine.md, 2b to 5; checked by the integration tests on
// both).
struct EngineQuirks {
    std::string name;                   // "podman" or "docker"
    std::string log_driver;             // bounded log files
    std::string tmp_flags;              // Docker's tmpfs is noexec unless told, Podman's is not
    bool conflict_is_500 = false;       // Podman answers 500 where Docker answers 409
    bool changes_overreports = false;   // Podman lists files that were only opened for writing
    bool changes_underreports = false;  // Docker misses a same-size edit with a restored mtime
};

EngineQuirks quirks_of(const EngineVersion& version);

class Engine {
  public:
    // Asks the engine for its version and takes the quirks from it.
    Engine(Endpoint endpoint, const Deadline& deadline);

    [[nodiscard]] const EngineVersion& version() const { return version_; }
    [[nodiscard]] const EngineQuirks& quirks() const { return quirks_; }
    [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }
    [[nodiscard]] EngineInfo info(const Deadline& deadline) const;

    std::string create(const ContainerSpec& spec, const Deadline& deadline) const;  // returns the container's id
    void start(const std::string& id, const Deadline& deadline) const;
    void kill(const std::string& id,
              const Deadline& deadline) const;  // SIGKILL; a container that is not running is fine
    void remove(const std::string& id, const Deadline& deadline) const;  // also when running; one that is gone is fine
    [[nodiscard]] ContainerState inspect(const std::string& id, const Deadline& deadline) const;
    [[nodiscard]] std::vector<ContainerSummary> list(const std::string& label, const Deadline& deadline) const;
    [[nodiscard]] std::string logs(const std::string& id,
                                   const Deadline& deadline) const;  // the last lines, both streams
    [[nodiscard]] ExecResult exec(const std::string& id, const std::vector<std::string>& argv,
                                  const Deadline& deadline) const;

    [[nodiscard]] std::vector<EngineChange> changes(const std::string& id, const Deadline& deadline) const;
    // A folder of the container as a snapshot, paths relative to it. `watch` sees the raw archive as it passes;
    // contents of files for which `keep` says no are dropped (their size and digest stay).
    [[nodiscard]] ArchiveContent read_folder(const std::string& id, const std::string& folder,
                                             const ArchiveLimits& limits, const Deadline& deadline,
                                             const std::function<void(std::string_view)>& watch = {},
                                             const KeepContent& keep = {}) const;
    void write_tar_into(const std::string& id, const std::string& folder, const std::string& tar,
                        const Deadline& deadline) const;

    [[nodiscard]] std::optional<ImageInfo> image(const std::string& reference, const Deadline& deadline) const;
    void load_image(const std::string& archive_file, const Deadline& deadline) const;  // docker-archive
    [[nodiscard]] std::vector<ImageInfo> images(const std::string& label, const Deadline& deadline) const;
    void remove_image(const std::string& reference, const Deadline& deadline) const;

  private:
    HttpResponse call(const std::string& method, const std::string& path, const std::string& body,
                      const std::string& type, const Deadline& deadline) const;
    nlohmann::json call_json(const std::string& method, const std::string& path, const nlohmann::json& body,
                             const Deadline& deadline) const;

    Endpoint endpoint_;
    EngineVersion version_;
    EngineQuirks quirks_;
    std::string prefix_;  // "/v1.41"
};

}  // namespace pasb
