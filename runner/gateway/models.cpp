#include "gateway/models.hpp"

#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "gateway/http_upstream.hpp"
#include "gateway/sim_model.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

// Reads one entry's fields; every complaint names file, entry and field.
class EntryReader {
  public:
    EntryReader(const YAML::Node& node, std::string where) : node_(node), where_(std::move(where)) {
        static const std::set<std::string> known{"base_url",       "base_url_env",   "model",          "api_key_env",
                                                 "temperature",    "timeout_s",      "max_concurrent", "retries",
                                                 "context_length", "response_format"};
        if (!node_.IsMap()) {
            throw InputError(where_ + ": must hold fields");
        }
        for (const auto& field : node_) {
            if (const auto name = field.first.as<std::string>(); !known.contains(name)) {
                throw InputError(where_ + ": unknown field '" + name + "'");
            }
        }
    }

    [[nodiscard]] std::string text(const char* name) const {
        if (!node_[name]) {
            return {};
        }
        if (!node_[name].IsScalar()) {
            throw bad(name, "must be a text");
        }
        return node_[name].as<std::string>();
    }

    [[nodiscard]] std::optional<int> number(const char* name, int least) const {
        if (!node_[name]) {
            return std::nullopt;
        }
        int value = 0;
        if (!YAML::convert<int>::decode(node_[name], value) || value < least) {
            throw bad(name, "must be a whole number of " + std::to_string(least) + " or more");
        }
        return value;
    }

    [[nodiscard]] InputError bad(const std::string& name, const std::string& what) const {
        return InputError(where_ + ": " + name + " " + what);
    }

  private:
    const YAML::Node node_;
    const std::string where_;
};

ModelEntry read_entry(const YAML::Node& node, const std::string& where) {
    const EntryReader reader(node, where);
    ModelEntry entry;
    entry.base_url = reader.text("base_url");
    entry.base_url_env = reader.text("base_url_env");
    if (entry.base_url.empty() == entry.base_url_env.empty()) {
        throw reader.bad("base_url", "or base_url_env must be given, and not both");
    }
    entry.model = reader.text("model");
    if (entry.model.empty()) {
        throw reader.bad("model", "is missing");
    }
    entry.api_key_env = reader.text("api_key_env");
    const std::string temperature = reader.text("temperature");
    if (!temperature.empty() && temperature != "0" && temperature != "omit") {
        throw reader.bad("temperature", "must be 0 or omit");
    }
    entry.send_temperature = temperature != "omit";
    entry.max_concurrent = reader.number("max_concurrent", 1).value_or(entry.max_concurrent);
    entry.timeout_s = reader.number("timeout_s", 1).value_or(entry.timeout_s);
    entry.retries = reader.number("retries", 0).value_or(entry.retries);
    entry.context_length = reader.number("context_length", 1);
    const std::string format = reader.text("response_format");
    if (!format.empty() && format != "json_schema" && format != "none") {
        throw reader.bad("response_format", "must be json_schema or none");
    }
    entry.json_schema = format != "none";
    return entry;
}

std::string required(const Environment& environment, const std::string& variable, const std::string& model) {
    if (const auto value = environment(variable)) {
        return *value;
    }
    throw InputError("model '" + model + "': the environment variable " + variable + " is not set");
}

std::shared_ptr<Upstream> make_upstream(const std::string& name, const ModelEntry& entry,
                                        const Environment& environment) {
    HttpUpstream::Settings settings;
    settings.base_url = entry.base_url.empty() ? required(environment, entry.base_url_env, name) : entry.base_url;
    settings.model = entry.model;
    settings.key = entry.api_key_env.empty() ? "" : required(environment, entry.api_key_env, name);
    settings.send_temperature = entry.send_temperature;
    settings.max_concurrent = entry.max_concurrent;
    settings.timeout = std::chrono::seconds(entry.timeout_s);
    settings.retry.retries = entry.retries;
    return std::make_shared<HttpUpstream>(std::move(settings));
}

std::string what_exists(const ModelEntries& entries) {
    std::string list;
    for (const auto& name : sim_model_names()) {
        list += (list.empty() ? "" : ", ") + name;
    }
    for (const auto& [name, entry] : entries) {
        list += ", " + name;
    }
    return list;
}

}  // namespace

std::optional<std::string> process_environment(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

ModelEntries parse_models(const std::string& yaml, const std::string& origin) {
    ModelEntries entries;
    try {
        const YAML::Node file = YAML::Load(yaml);
        if (!file.IsMap() || !file["models"] || !file["models"].IsMap()) {
            throw InputError(origin + ": needs a map named models");
        }
        for (const auto& item : file["models"]) {
            const auto name = item.first.as<std::string>();
            const std::string where =
                origin + ":" + std::to_string(item.first.Mark().line + 1) + ": model '" + name + "'";
            if (name.empty() || name.starts_with("sim:")) {
                throw InputError(where + ": names that begin with sim: belong to the simulated models");
            }
            if (!entries.emplace(name, read_entry(item.second, where)).second) {
                throw InputError(where + ": stands twice");
            }
        }
    } catch (const YAML::Exception& error) {
        throw InputError(origin + ":" + std::to_string(error.mark.line + 1) + ": " + error.msg);
    }
    return entries;
}

ModelEntries read_models(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        throw InputError(path + ": cannot be read");
    }
    return parse_models(text.str(), path);
}

ResolvedModel resolve_model(const std::string& name, const ModelEntries& entries, const Environment& environment) {
    if (const auto kind = sim_kind_from(name)) {
        return {name, true, name, std::nullopt, std::make_shared<SimModel>(*kind)};
    }
    if (const auto found = entries.find(name); found != entries.end()) {
        const ModelEntry& entry = found->second;
        return {
            name, false, entry.model, entry.context_length, make_upstream(name, entry, environment), entry.json_schema};
    }
    if (!name.empty() && !name.starts_with("sim:") && environment("OPENAI_BASE_URL") && environment("OPENAI_API_KEY")) {
        ModelEntry entry;
        entry.base_url_env = "OPENAI_BASE_URL";
        entry.api_key_env = "OPENAI_API_KEY";
        entry.model = name;
        return {name, false, name, std::nullopt, make_upstream(name, entry, environment)};
    }
    throw InputError("there is no model '" + name + "': choose one of " + what_exists(entries) +
                     ", or set OPENAI_BASE_URL and OPENAI_API_KEY to use any model id of that endpoint");
}

}  // namespace pasb
