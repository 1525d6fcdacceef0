#include "run/plan_file.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "model/errors.hpp"
#include "run/line_file.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view plan_schema = "pasb.plan/1";

fs::path plan_path(const fs::path& out) {
    return out / "plan.json";
}

}  // namespace

std::vector<PlannedRun> read_plan(const fs::path& out) {
    const fs::path file = plan_path(out);
    if (!fs::exists(file)) {
        return {};
    }
    const json plan = json::parse(read_file(file.string()), nullptr, false);
    try {
        if (plan.at("schema") != plan_schema) {
            throw InputError(file.string() + ": its `schema` is not " + std::string(plan_schema));
        }
        std::vector<PlannedRun> runs;
        for (const json& run : plan.at("runs")) {
            runs.push_back({run.at("run_id"), run.at("task_id"), run.at("framework"), run.at("model"), run.at("arm")});
        }
        return runs;
    } catch (const json::exception& error) {
        throw InputError(file.string() + ": not a plan: " + error.what());
    }
}

void add_to_plan(const fs::path& out, const std::vector<RunSpec>& runs) {
    std::vector<PlannedRun> planned = read_plan(out);
    const std::size_t before = planned.size();
    std::set<std::string> known;
    for (const PlannedRun& run : planned) {
        known.insert(run.run_id);
    }
    for (const RunSpec& run : runs) {
        if (known.insert(run.run_id).second) {
            planned.push_back({run.run_id, run.task->task_id, run.framework, run.model, run.arm});
        }
    }
    if (planned.size() == before && fs::exists(plan_path(out))) {
        return;
    }
    json list = json::array();
    for (const PlannedRun& run : planned) {
        list.push_back({{"run_id", run.run_id},
                        {"task_id", run.task_id},
                        {"framework", run.framework},
                        {"model", run.model},
                        {"arm", run.arm}});
    }
    write_whole(plan_path(out), json{{"schema", plan_schema}, {"runs", list}}.dump(1) + "\n");
}

}  // namespace pasb
