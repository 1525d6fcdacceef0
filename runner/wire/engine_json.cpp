#include "wire/engine_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;

[[noreturn]] void throw_broken(std::string_view what, const std::string& why) {
    throw EngineError(EngineError::Kind::broken, 0, "the engine's " + std::string(what) + ": " + why);
}

std::string_view without_slash(std::string_view name) {
    name.remove_prefix(name.starts_with('/') ? 1 : 0);
    return name;
}

// One object of an answer, read key by key. Absent and null are the same; another type than asked for is an error that
// names the key.
class Fields {
  public:
    Fields(const json& object, std::string_view what) : object_(object), what_(what) {
        if (!object.is_object()) {
            throw_broken(what, std::string("not an object but ") + object.type_name());
        }
    }

    [[nodiscard]] std::string text(const char* key) const {
        const json* value = find(key, json::value_t::string);
        return value == nullptr ? std::string() : value->get<std::string>();
    }

    [[nodiscard]] std::string required_text(const char* key) const {
        std::string value = text(key);
        if (value.empty()) {
            throw_broken(what_, std::string("no ") + key);
        }
        return value;
    }

    [[nodiscard]] bool flag(const char* key) const {
        const json* value = find(key, json::value_t::boolean);
        return value != nullptr && value->get<bool>();
    }

    [[nodiscard]] std::optional<std::int64_t> number(const char* key) const {
        const json* value = find(key);
        if (value == nullptr) {
            return std::nullopt;
        }
        if (!value->is_number_integer()) {
            wrong_type(key, *value);
        }
        return value->get<std::int64_t>();
    }

    [[nodiscard]] std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> all;
        if (const json* list = find(key, json::value_t::array)) {
            for (const json& value : *list) {
                if (!value.is_string()) {
                    wrong_type(key, value);
                }
                all.push_back(value.get<std::string>());
            }
        }
        return all;
    }

    [[nodiscard]] std::vector<std::string> keys_of(const char* key) const {
        std::vector<std::string> all;
        if (const json* object = find(key, json::value_t::object)) {
            for (const auto& item : object->items()) {
                all.push_back(item.key());
            }
        }
        return all;
    }

    [[nodiscard]] std::map<std::string, std::string> text_map(const char* key) const {
        std::map<std::string, std::string> all;
        if (const json* object = find(key, json::value_t::object)) {
            for (const auto& item : object->items()) {
                if (!item.value().is_string()) {
                    wrong_type(key, item.value());
                }
                all.emplace(item.key(), item.value().get<std::string>());
            }
        }
        return all;
    }

    // An empty object where the key is absent.
    [[nodiscard]] Fields object(const char* key) const {
        static const json none = json::object();
        const json* value = find(key, json::value_t::object);
        return {value == nullptr ? none : *value, what_};
    }

    [[nodiscard]] const json* list(const char* key) const { return find(key, json::value_t::array); }

  private:
    [[nodiscard]] const json* find(const char* key) const {
        const auto found = object_.find(key);
        return found == object_.end() || found->is_null() ? nullptr : &*found;
    }

    [[nodiscard]] const json* find(const char* key, json::value_t type) const {
        const json* value = find(key);
        if (value != nullptr && value->type() != type) {
            wrong_type(key, *value);
        }
        return value;
    }

    [[noreturn]] void wrong_type(const char* key, const json& value) const {
        throw_broken(what_, std::string(key) + " holds " + value.type_name());
    }

    const json& object_;
    std::string_view what_;
};

json parse_body(std::string_view body, std::string_view what) {
    json value = json::parse(body, nullptr, false);
    if (value.is_discarded()) {
        throw_broken(what, "no JSON: " + std::string(body.substr(0, 200)));
    }
    return value;
}

// Calls `each` with the fields of every object in a list; null is the empty list.
template <typename Each>
void for_each_object(std::string_view body, std::string_view what, const Each& each) {
    const json list = parse_body(body, what);
    if (list.is_null()) {
        return;
    }
    if (!list.is_array()) {
        throw_broken(what, std::string("not a list but ") + list.type_name());
    }
    for (const json& value : list) {
        each(Fields(value, what));
    }
}

ImageInfo image_of(const Fields& image) {
    ImageInfo info;
    info.id = image.required_text("Id");
    info.tags = image.texts("RepoTags");
    info.layers = image.object("RootFS").texts("Layers");
    info.size = image.number("Size").value_or(0);
    return info;
}

ChangeType change_of(std::int64_t kind) {
    switch (kind) {
        case 0:
            return ChangeType::modified;
        case 1:
            return ChangeType::added;
        case 2:
            return ChangeType::deleted;
        default:
            throw_broken("changes", "unknown kind " + std::to_string(kind));
    }
}

}  // namespace

std::string engine_error_text(std::string_view body) {
    constexpr std::size_t longest = 500;
    const json value = json::parse(body, nullptr, false);
    const auto text = [&value](const char* key) -> std::string {
        const auto found = value.find(key);
        return found != value.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (!value.is_object() || text("message").empty()) {
        return std::string(body.substr(0, longest));
    }
    const std::string message = text("message");
    const std::string cause = text("cause");
    // Podman's message mostly ends with its cause.
    return cause.empty() || message.find(cause) != std::string::npos ? message : message + " (" + cause + ")";
}

ContainerState parse_container(std::string_view body) {
    const json value = parse_body(body, "container");
    const Fields container(value, "container");
    const Fields state = container.object("State");
    ContainerState result;
    result.id = container.required_text("Id");
    result.name = without_slash(container.text("Name"));
    result.image_id = container.text("Image");
    result.status = state.text("Status");
    result.running = state.flag("Running");
    result.oom_killed = state.flag("OOMKilled");
    result.exit_code = state.number("ExitCode").value_or(0);
    result.pid = state.number("Pid").value_or(0);
    result.labels = container.object("Config").text_map("Labels");
    return result;
}

std::vector<ContainerSummary> parse_container_list(std::string_view body) {
    std::vector<ContainerSummary> all;
    for_each_object(body, "container list", [&all](const Fields& container) {
        ContainerSummary summary;
        summary.id = container.required_text("Id");
        for (const std::string& name : container.texts("Names")) {
            summary.names.emplace_back(without_slash(name));
        }
        summary.image_id = container.text("ImageID");
        summary.state = container.text("State");
        summary.labels = container.text_map("Labels");
        all.push_back(std::move(summary));
    });
    return all;
}

ImageInfo parse_image(std::string_view body) {
    const json value = parse_body(body, "image");
    const Fields image(value, "image");
    const Fields config = image.object("Config");
    ImageInfo info = image_of(image);
    info.volumes = config.keys_of("Volumes");
    info.labels = config.text_map("Labels");
    info.user = config.text("User");
    return info;
}

std::vector<ImageInfo> parse_image_list(std::string_view body) {
    std::vector<ImageInfo> all;
    for_each_object(body, "image list", [&all](const Fields& image) {
        all.push_back(image_of(image));
        all.back().labels = image.text_map("Labels");
    });
    return all;
}

std::vector<EngineChange> parse_changes(std::string_view body) {
    std::vector<EngineChange> all;
    for_each_object(body, "changes", [&all](const Fields& change) {
        all.push_back({change.required_text("Path"), change_of(change.number("Kind").value_or(0))});
    });
    return all;
}

EngineVersion parse_version(std::string_view body) {
    const json value = parse_body(body, "version");
    const Fields fields(value, "version");
    EngineVersion version;
    version.version = fields.text("Version");
    version.api_version = fields.text("ApiVersion");
    version.min_api_version = fields.text("MinAPIVersion");
    if (const json* components = fields.list("Components")) {
        version.podman = std::any_of(components->begin(), components->end(), [](const json& component) {
            return Fields(component, "version").text("Name") == "Podman Engine";
        });
    }
    return version;
}

EngineInfo parse_info(std::string_view body) {
    const json value = parse_body(body, "info");
    const Fields fields(value, "info");
    EngineInfo info;
    info.cgroup_version = fields.text("CgroupVersion");
    info.cgroup_driver = fields.text("CgroupDriver");
    info.storage_driver = fields.text("Driver");
    info.default_runtime = fields.text("DefaultRuntime");
    info.runtimes = fields.keys_of("Runtimes");
    info.security_options = fields.texts("SecurityOptions");
    const auto offers = [&info](std::string_view option) {
        return std::any_of(info.security_options.begin(), info.security_options.end(), [option](std::string_view text) {
            return text == option || (text.starts_with(option) && text[option.size()] == ',');
        });
    };
    info.rootless = fields.flag("Rootless") || offers("name=rootless");
    info.seccomp = offers("name=seccomp");
    info.memory_limit = fields.flag("MemoryLimit");
    info.pids_limit = fields.flag("PidsLimit");
    info.cpu_quota = fields.flag("CpuCfsQuota") || fields.flag("CPUCfsQuota");
    info.cpus = fields.number("NCPU").value_or(0);
    info.memory_bytes = fields.number("MemTotal").value_or(0);
    return info;
}

ExecState parse_exec(std::string_view body) {
    const json value = parse_body(body, "exec");
    const Fields fields(value, "exec");
    ExecState exec;
    exec.running = fields.flag("Running");
    exec.pid = fields.number("Pid").value_or(0);
    if (!exec.running) {
        exec.exit_code = fields.number("ExitCode");
    }
    return exec;
}

std::string parse_created_id(std::string_view body) {
    const json value = parse_body(body, "answer to create");
    return Fields(value, "answer to create").required_text("Id");
}

std::int64_t parse_wait_status(std::string_view body) {
    const json value = parse_body(body, "answer to wait");
    const std::optional<std::int64_t> status = Fields(value, "answer to wait").number("StatusCode");
    if (!status) {
        throw_broken("answer to wait", "no StatusCode");
    }
    return *status;
}

}  // namespace pasb
