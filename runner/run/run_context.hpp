// What all runs of one framework and model share. Passive; the eval owns everything that is pointed to here.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "gateway/models.hpp"
#include "model/adapter.hpp"
#include "sandbox/baseline.hpp"
#include "sandbox/engine.hpp"
#include "sandbox/runtime_folder.hpp"

namespace pasb {

enum class FlushPolicy { paper, settled };

std::string_view to_string(FlushPolicy policy);
FlushPolicy flush_policy_from(std::string_view name);  // throws InputError

struct RunContext {
    const Engine& engine;
    const RuntimeFolder& runtime;
    const Adapter& adapter;
    const Baseline& baseline;
    const Snapshot& baseline_home;  // with contents, for the text that a note had before
    std::string image_id;
    ResolvedModel model;
    FlushPolicy flush = FlushPolicy::paper;
    ContainerLimits limits;
    std::vector<std::string> warnings;  // go into every record: base drift, engine remarks
    int requests_per_run = 0;           // model requests of both chats together
    std::stop_token stop;
};

}  // namespace pasb
