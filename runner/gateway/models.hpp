// Which model a name stands for: an entry of configs/models.yaml, a simulated model (sim:NAME), or any id of the
// endpoint in OPENAI_BASE_URL. Not the upstream itself, but the only place that makes one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gateway/upstream.hpp"

namespace pasb {

// One entry of models.yaml; the file's head documents each field.
struct ModelEntry {
    std::string base_url;
    std::string base_url_env;  // instead of base_url: the variable that holds it
    std::string model;         // the upstream's id
    std::string api_key_env;   // empty: the endpoint needs no key
    bool send_temperature = true;
    int max_concurrent = 4;
    int timeout_s = 600;                // one attempt
    int retries = 5;                    // further attempts after the first
    std::optional<int> context_length;  // tokens
    bool json_schema = true;            // a judge may ask for replies by a JSON schema (response_format)
};

using ModelEntries = std::map<std::string, ModelEntry>;

// Value of an environment variable, if set and not empty. Injected, so that tests need not touch the process's own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> process_environment(const std::string& name);

// Throw InputError that names file, entry and field. `origin` stands in messages.
ModelEntries parse_models(const std::string& yaml, const std::string& origin);
ModelEntries read_models(const std::string& path);

struct ResolvedModel {
    std::string name;  // as given; stands in records
    bool simulated = false;
    std::string id;  // the upstream's id, or the name of the simulated model
    std::optional<int> context_length;
    std::shared_ptr<Upstream> upstream;
    bool json_schema = true;  // as in the entry
};

// Throws InputError that lists what exists, or names the variable that is not set.
ResolvedModel resolve_model(const std::string& name, const ModelEntries& entries, const Environment& environment);

}  // namespace pasb
