#include "sandbox/engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/errors.hpp"
#include "wire/attach_frames.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr std::size_t exec_output_limit = 8U << 20U;

std::string escape_query(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '_' || c == '.' || c == '/';
        if (plain) {
            out += c;
        } else {
            out += '%';
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        }
    }
    return out;
}

EngineError from_net(const NetError& error) {
    const auto kind = error.kind() == NetError::Kind::connect     ? EngineError::Kind::unreachable
                      : error.kind() == NetError::Kind::timeout   ? EngineError::Kind::timeout
                      : error.kind() == NetError::Kind::cancelled ? EngineError::Kind::timeout
                                                                  : EngineError::Kind::broken;
    return {kind, 0, std::string("container engine: ") + error.what()};
}

// Docker tells conflicts and unknown things by status; Podman uses 500 for some of both and says which in the text.
EngineError::Kind kind_of(int status, const std::string& text, const EngineQuirks& quirks) {
    if (status == 404) {
        return EngineError::Kind::not_found;
    }
    if (status == 409) {
        return EngineError::Kind::conflict;
    }
    if (quirks.conflict_is_500 && status == 500) {
        for (const std::string_view words : {"already in use", "state improper", "not running", "is running"}) {
            if (text.find(words) != std::string::npos) {
                return EngineError::Kind::conflict;
            }
        }
        for (const std::string_view words : {"not known", "no such", "not found"}) {
            if (text.find(words) != std::string::npos) {
                return EngineError::Kind::not_found;
            }
        }
    }
    return EngineError::Kind::refused;
}

json ulimit(const char* name, std::int64_t value) {
    return {{"Name", name}, {"Soft", value}, {"Hard", value}};
}

// Podman's Ulimits replace its defaults and Docker's are merged, so each one that matters is always sent.
json host_config(const ContainerSpec& spec, const EngineQuirks& quirks) {
    const ContainerLimits& limits = spec.limits;
    return {
        {"NetworkMode", "none"},
        {"Binds", {spec.bind_host + ":" + spec.bind_inside + ":rw"}},
        {"CapDrop", {"ALL"}},
        {"SecurityOpt", {"no-new-privileges"}},
        {"Init", true},
        {"PidsLimit", limits.pids},
        {"Memory", limits.memory_bytes},
        {"MemorySwap", limits.memory_bytes},
        {"NanoCpus", static_cast<std::int64_t>(std::llround(limits.cpus * 1e9))},
        {"Tmpfs", {{"/tmp", quirks.tmp_flags + ",size=" + std::to_string(limits.tmp_bytes)}}},
        {"Ulimits",
         {ulimit("nofile", limits.open_files), ulimit("nproc", limits.processes), ulimit("fsize", limits.file_bytes),
          ulimit("core", 0)}},
        {"LogConfig", {{"Type", quirks.log_driver}, {"Config", {{"max-size", "1m"}}}}},
        {"IpcMode", "private"},
        {"RestartPolicy", {{"Name", "no"}}},
    };
}

json create_body(const ContainerSpec& spec, const EngineQuirks& quirks) {
    json env = json::array();
    for (const auto& [name, value] : spec.env) {
        env.push_back(name + "=" + value);
    }
    return {
        {"Image", spec.image},
        {"Cmd", spec.command},
        {"Entrypoint", json::array()},
        {"Env", env},
        {"User", spec.user},
        {"WorkingDir", spec.folder},
        {"Labels", spec.labels},
        {"Hostname", "agent"},
        {"HostConfig", host_config(spec, quirks)},
        {"AttachStdin", false},
        {"Tty", false},
    };
}

std::string label_filter(const std::string& label) {
    return escape_query(json{{"label", {label}}}.dump());
}

}  // namespace

EngineQuirks quirks_of(const EngineVersion& version) {
    EngineQuirks quirks;
    quirks.name = version.podman ? "podman" : "docker";
    quirks.log_driver = version.podman ? "k8s-file" : "json-file";
    quirks.tmp_flags = "rw,exec,nosuid,nodev,mode=1777";
    quirks.conflict_is_500 = version.podman;
    quirks.changes_overreports = version.podman;
    quirks.changes_underreports = !version.podman;
    return quirks;
}

Engine::Engine(Endpoint endpoint, const Deadline& deadline) : endpoint_(std::move(endpoint)) {
    version_ = parse_version(call("GET", "/version", {}, {}, deadline).body);
    quirks_ = quirks_of(version_);
    prefix_ = "/v" + version_.api_version;
}

HttpResponse Engine::call(const std::string& method, const std::string& path, const std::string& body,
                          const std::string& type, const Deadline& deadline) const {
    HttpRequest request{method, prefix_ + path, {}, body};
    if (!type.empty()) {
        request.headers["Content-Type"] = type;
    }
    HttpResponse response;
    try {
        response = http_request(endpoint_, request, deadline);
    } catch (const NetError& error) {
        throw from_net(error);
    }
    if (response.status >= 400) {
        const std::string text = engine_error_text(response.body);
        throw EngineError(kind_of(response.status, text, quirks_), response.status, method + " " + path + ": " + text);
    }
    return response;
}

nlohmann::json Engine::call_json(const std::string& method, const std::string& path, const json& body,
                                 const Deadline& deadline) const {
    const HttpResponse response = call(method, path, body.dump(), "application/json", deadline);
    return json::parse(response.body, nullptr, false);
}

EngineInfo Engine::info(const Deadline& deadline) const {
    return parse_info(call("GET", "/info", {}, {}, deadline).body);
}

std::string Engine::create(const ContainerSpec& spec, const Deadline& deadline) const {
    const std::string body = create_body(spec, quirks_).dump();
    return parse_created_id(
        call("POST", "/containers/create?name=" + escape_query(spec.name), body, "application/json", deadline).body);
}

void Engine::start(const std::string& id, const Deadline& deadline) const {
    call("POST", "/containers/" + id + "/start", {}, "application/json", deadline);
}

void Engine::kill(const std::string& id, const Deadline& deadline) const {
    try {
        call("POST", "/containers/" + id + "/kill?signal=KILL", {}, "application/json", deadline);
    } catch (const EngineError& error) {
        if (error.kind() != EngineError::Kind::conflict) {
            throw;
        }
    }
    call("POST", "/containers/" + id + "/wait", {}, "application/json", deadline);
}

void Engine::remove(const std::string& id, const Deadline& deadline) const {
    try {
        call("DELETE", "/containers/" + id + "?force=true&v=true", {}, {}, deadline);
    } catch (const EngineError& error) {
        if (error.kind() != EngineError::Kind::not_found) {
            throw;
        }
    }
}

ContainerState Engine::inspect(const std::string& id, const Deadline& deadline) const {
    return parse_container(call("GET", "/containers/" + id + "/json", {}, {}, deadline).body);
}

std::vector<ContainerSummary> Engine::list(const std::string& label, const Deadline& deadline) const {
    return parse_container_list(
        call("GET", "/containers/json?all=true&filters=" + label_filter(label), {}, {}, deadline).body);
}

std::string Engine::logs(const std::string& id, const Deadline& deadline) const {
    const HttpResponse response =
        call("GET", "/containers/" + id + "/logs?stdout=true&stderr=true&tail=40", {}, {}, deadline);
    const AttachOutput output = parse_attach_frames(response.body);
    return output.out + output.err;
}

ExecResult Engine::exec(const std::string& id, const std::vector<std::string>& argv, const Deadline& deadline) const {
    const json body{{"Cmd", argv}, {"AttachStdout", true}, {"AttachStderr", true}, {"Tty", false}};
    const json created = call_json("POST", "/containers/" + id + "/exec", body, deadline);
    const std::string exec_id = created.is_object() ? created.value("Id", "") : "";
    if (exec_id.empty()) {
        throw EngineError(EngineError::Kind::broken, 0, "exec create answered without an id");
    }
    ExecResult result;
    try {
        const HttpRequest request{"POST",
                                  prefix_ + "/exec/" + exec_id + "/start",
                                  {{"Content-Type", "application/json"}},
                                  R"({"Detach":false,"Tty":false})"};
        AttachOutput output = parse_attach_frames(http_hijack(endpoint_, request, deadline, exec_output_limit));
        result.output = std::move(output.out);
        result.errors = std::move(output.err);
    } catch (const NetError& error) {
        throw from_net(error);
    }
    const ExecState state = parse_exec(call("GET", "/exec/" + exec_id + "/json", {}, {}, deadline).body);
    result.exit_code = static_cast<int>(state.exit_code.value_or(-1));
    return result;
}

std::vector<EngineChange> Engine::changes(const std::string& id, const Deadline& deadline) const {
    return parse_changes(call("GET", "/containers/" + id + "/changes", {}, {}, deadline).body);
}

ArchiveContent Engine::read_folder(const std::string& id, const std::string& folder, const ArchiveLimits& limits,
                                   const Deadline& deadline, const std::function<void(std::string_view)>& watch,
                                   const KeepContent& keep) const {
    const std::string path = "/containers/" + id + "/archive?path=" + escape_query(folder);
    try {
        HttpDownload download(endpoint_, {"GET", prefix_ + path, {}, {}}, deadline);
        if (download.head().status != 200) {
            const std::string text = engine_error_text(download.next());
            throw EngineError(kind_of(download.head().status, text, quirks_), download.head().status,
                              "GET " + path + ": " + text);
        }
        const auto next_piece = [&] {
            const std::string_view piece = download.next();
            if (watch) {
                watch(piece);
            }
            return piece;
        };
        return read_snapshot(next_piece, folder.substr(folder.rfind('/') + 1), limits, keep);
    } catch (const NetError& error) {
        throw from_net(error);
    }
}

void Engine::write_tar_into(const std::string& id, const std::string& folder, const std::string& tar,
                            const Deadline& deadline) const {
    call("PUT", "/containers/" + id + "/archive?path=" + escape_query(folder), tar, "application/x-tar", deadline);
}

std::optional<ImageInfo> Engine::image(const std::string& reference, const Deadline& deadline) const {
    try {
        return parse_image(call("GET", "/images/" + escape_query(reference) + "/json", {}, {}, deadline).body);
    } catch (const EngineError& error) {
        if (error.kind() == EngineError::Kind::not_found) {
            return std::nullopt;
        }
        throw;
    }
}

void Engine::load_image(const std::string& archive_file, const Deadline& deadline) const {
    HttpResponse response;
    try {
        response = http_upload(
            endpoint_, {"POST", prefix_ + "/images/load?quiet=true", {{"Content-Type", "application/x-tar"}}, {}},
            archive_file, deadline);
    } catch (const NetError& error) {
        throw from_net(error);
    }
    // Docker reports a failed load with status 200 and an error in the last line.
    if (response.status >= 400 || response.body.find("\"error\"") != std::string::npos) {
        throw EngineError(EngineError::Kind::refused, response.status,
                          "image load: " + engine_error_text(response.body));
    }
}

std::vector<ImageInfo> Engine::images(const std::string& label, const Deadline& deadline) const {
    return parse_image_list(call("GET", "/images/json?filters=" + label_filter(label), {}, {}, deadline).body);
}

void Engine::remove_image(const std::string& reference, const Deadline& deadline) const {
    call("DELETE", "/images/" + escape_query(reference) + "?force=true", {}, {}, deadline);
}

}  // namespace pasb
