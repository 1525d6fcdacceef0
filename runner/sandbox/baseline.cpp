#include "sandbox/baseline.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "changes/diff.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "sandbox/layer.hpp"
#include "sandbox/leftovers.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr const char* schema = "pasb.baseline/1";

// Read once for a whole eval, so more may be kept than of a single run's capture.
constexpr std::uint64_t baseline_bytes = 64U << 20U;

json entry_to_json(const ManifestEntry& entry) {
    json value{{"type", to_string(entry.type)},
               {"mode", entry.mode},
               {"sha256", entry.sha256},
               {"kind", to_string(entry.kind)}};
    put_bytes(value, "path", entry.path);
    return value;
}

ManifestEntry entry_from(const json& value) {
    ManifestEntry entry;
    entry.path = get_bytes(value, "path");
    entry.type = file_type_from(value.at("type").get<std::string>());
    entry.mode = value.at("mode");
    entry.sha256 = value.at("sha256");
    entry.kind = path_kind_from(value.at("kind").get<std::string>());
    return entry;
}

Baseline baseline_from(const json& value) {
    if (value.at("schema") != schema) {
        throw InputError("schema is not " + std::string(schema));
    }
    Baseline baseline;
    baseline.framework = value.at("framework");
    baseline.version = value.at("version");
    baseline.image_id = value.at("image_id");
    baseline.layers = value.at("layers").get<std::vector<std::string>>();
    for (const json& item : value.at("home")) {
        ManifestEntry entry = entry_from(item);
        baseline.manifest.emplace(entry.path, std::move(entry));
    }
    return baseline;
}

// One line an entry, so that a change of the baseline reads well in a diff.
std::string to_text(const Baseline& baseline) {
    const json head{{"schema", schema},
                    {"framework", baseline.framework},
                    {"version", baseline.version},
                    {"image_id", baseline.image_id},
                    {"layers", baseline.layers}};
    std::string text = head.dump(1);
    text.resize(text.size() - 2);  // the closing brace and the line end before it
    text += ",\n \"home\": [";
    const char* separator = "\n  ";
    for (const auto& [path, entry] : baseline.manifest) {
        text += separator + entry_to_json(entry).dump();
        separator = ",\n  ";
    }
    return text + "\n ]\n}\n";
}

std::string removed_on_exit_name(const std::string& owner, const std::string& framework) {
    return "pasb-baseline-" + framework + "-" + owner;
}

}  // namespace

Baseline read_baseline(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        throw InputError(file + ": no baseline for this framework: run `pasb images freeze`");
    }
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    try {
        Baseline baseline = baseline_from(json::parse(text));
        baseline.sha256 = sha256_hex(text);
        return baseline;
    } catch (const json::exception& error) {
        throw InputError(file + ": " + error.what());
    } catch (const InputError& error) {
        throw InputError(file + ": " + error.what());
    }
}

void write_baseline(const std::string& file, const Baseline& baseline) {
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream << to_text(baseline);
    stream.close();
    if (!stream) {
        throw InputError(file + ": cannot be written");
    }
}

ObservedImage observe_image(const Engine& engine, const Adapter& adapter, const ImageInfo& image,
                            const std::string& owner, const Deadline& deadline) {
    ContainerSpec spec;
    spec.name = removed_on_exit_name(owner, adapter.framework);
    spec.image = image.id;
    spec.command = {"/bin/true"};
    spec.user = std::to_string(agent_uid) + ":" + std::to_string(agent_uid);
    spec.bind_host = "/tmp";
    spec.bind_inside = "/run/pasb";
    spec.folder = adapter.home;
    spec.labels = {{owner_label, owner}};
    const std::string id = engine.create(spec, deadline);
    ObservedImage observed;
    Baseline& baseline = observed.baseline;
    try {
        ArchiveLimits limits;
        limits.kept_total_bytes = baseline_bytes;
        ArchiveContent home = engine.read_folder(id, adapter.home, limits, deadline);
        if (home.truncated) {
            throw InputError(image.id + ": the agent's home is too large for a baseline: " + home.what);
        }
        baseline.manifest = manifest_of(home.files, adapter.paths, adapter.home);
        observed.home = std::move(home.files);
    } catch (...) {
        engine.remove(id, Deadline::after(std::chrono::seconds(30)));
        throw;
    }
    engine.remove(id, deadline);
    baseline.framework = adapter.framework;
    baseline.version = adapter.version;
    baseline.image_id = image.id;
    baseline.layers = image.layers;
    return observed;
}

BaselineCheck check_baseline(const Baseline& expected, const Baseline& observed) {
    BaselineCheck check;
    if (expected.version != observed.version) {
        check.differences.push_back("version: baseline " + expected.version + ", adapter " + observed.version);
    }
    for (const std::string& line : manifest_difference(expected.manifest, observed.manifest)) {
        check.differences.push_back("home: " + line);
    }
    if (expected.layers.size() != observed.layers.size()) {
        check.differences.push_back("layers: baseline has " + std::to_string(expected.layers.size()) + ", image has " +
                                    std::to_string(observed.layers.size()));
        return check;
    }
    for (std::size_t i = 0; i < expected.layers.size(); ++i) {
        if (expected.layers[i] == observed.layers[i]) {
            continue;
        }
        const std::string line = expected.layers[i] + " -> " + observed.layers[i];
        if (i == 0) {
            check.warnings.push_back("base-packages-differ: " + line);
        } else {
            check.differences.push_back("layer " + std::to_string(i) + ": " + line);
        }
    }
    if (check.differences.empty() && check.warnings.empty() && expected.image_id != observed.image_id) {
        check.differences.push_back("image id: " + expected.image_id + " -> " + observed.image_id +
                                    " (same layers, other configuration)");
    }
    return check;
}

}  // namespace pasb
