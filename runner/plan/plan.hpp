// Tasks, frameworks and models -> the ordered list of runs with stable ids. Pure: the same input always gives the same
// plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/task.hpp"

namespace pasb {

// One run to be made: a task on one framework with one model under one arm of an experiment.
struct RunSpec {
    std::string run_id;  // [a-z0-9-], at most 60 characters; a function of the fields below and the seed
    std::shared_ptr<const Task> task;
    std::string framework;
    std::string model;
    std::string arm;
};

struct PlanRequest {
    std::vector<Task> tasks;
    std::vector<std::string> frameworks;
    std::vector<std::string> models;
    std::string arm = "main";
    std::uint64_t seed = 0;
    std::size_t limit = 0;  // tasks to take, each on every framework and model; 0 takes all
};

// The order in which any first N tasks are spread as evenly as can be over scenarios, deliveries, their pairs, families
// and base items. So a larger limit only adds to a smaller one.
std::vector<Task> balanced_order(std::vector<Task> tasks);

// Task by task in balanced order, for each task all models and frameworks, so that partial results compare like with
// like. Throws InputError when a framework or model is named twice.
std::vector<RunSpec> plan_runs(const PlanRequest& request);

// What the runs of one output folder must have in common.
struct FrameworkPin {
    std::string framework;
    std::string version;
    std::string adapter_sha256;
    std::string image_id;
    std::string baseline_sha256;
};

struct Configuration {
    std::vector<FrameworkPin> frameworks;
    std::vector<nlohmann::json> models;  // whole entries of configs/models.yaml, without keys
    std::string arm = "main";
    std::uint64_t seed = 0;
    std::string flush;
    nlohmann::json limits = nlohmann::json::object();  // of the containers
};

// `tasks` are all tasks that were read, before a limit: a folder may be continued with a larger limit, not with other
// texts.
nlohmann::json configuration_json(const Configuration& configuration, const std::vector<Task>& tasks);
std::string configuration_digest(const nlohmann::json& configuration);

}  // namespace pasb
