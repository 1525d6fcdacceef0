#include "plan/plan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "model/errors.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

constexpr std::size_t families = 3;
constexpr std::size_t scenarios = 4;
constexpr std::size_t deliveries = 4;

// How often each value of each factor has been taken so far.
class Balance {
  public:
    // Lowest first: the task that the tasks taken so far need most.
    [[nodiscard]] auto need(const Task& task) const {
        const auto [family, scenario, delivery] = indices(task);
        const auto base = by_base_.find(task.base_item_id);
        return std::tuple(by_scenario_[scenario] + by_delivery_[delivery], by_pair_[scenario][delivery],
                          by_family_[family], by_cell_[family][scenario][delivery],
                          base == by_base_.end() ? 0 : base->second);
    }

    void take(const Task& task) {
        const auto [family, scenario, delivery] = indices(task);
        ++by_scenario_[scenario];
        ++by_delivery_[delivery];
        ++by_pair_[scenario][delivery];
        ++by_family_[family];
        ++by_cell_[family][scenario][delivery];
        ++by_base_[task.base_item_id];
    }

  private:
    static std::array<std::size_t, 3> indices(const Task& task) {
        return {static_cast<std::size_t>(task.family), static_cast<std::size_t>(task.scenario),
                static_cast<std::size_t>(task.delivery)};
    }

    std::array<int, scenarios> by_scenario_{};
    std::array<int, deliveries> by_delivery_{};
    std::array<std::array<int, deliveries>, scenarios> by_pair_{};
    std::array<int, families> by_family_{};
    std::array<std::array<std::array<int, deliveries>, scenarios>, families> by_cell_{};
    std::map<std::string, int> by_base_;
};

void refuse_repetition(const std::vector<std::string>& names, std::string_view what) {
    std::set<std::string> seen;
    for (const std::string& name : names) {
        if (!seen.insert(name).second) {
            throw InputError(std::string(what) + " '" + name + "' is named twice; name it once");
        }
    }
}

// Lower-case letters, digits and single hyphens.
std::string slug(std::string_view text, std::size_t longest) {
    std::string result;
    for (const char letter : text) {
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) {
            result += letter;
        } else if (letter >= 'A' && letter <= 'Z') {
            result += static_cast<char>(letter - 'A' + 'a');
        } else if (!result.empty() && result.back() != '-') {
            result += '-';
        }
    }
    result.resize(std::min(result.size(), longest));
    while (result.ends_with('-')) {
        result.pop_back();
    }
    return result;
}

// "signed-memory" -> "sm"
std::string initials(std::string_view name) {
    std::string letters;
    bool begins = true;
    for (const char letter : name) {
        if (begins) {
            letters += letter;
        }
        begins = letter == '-';
    }
    return letters;
}

// At most 10 + 20 + 3 + 3 + 8 + 12 characters with the hyphens between them.
std::string make_run_id(const RunSpec& run, std::uint64_t seed) {
    const Task& task = *run.task;
    const std::string digest =
        json_sha256(nlohmann::json::array({task.task_id, run.framework, run.model, run.arm, seed})).substr(0, 12);
    std::string id;
    for (const std::string& part :
         {slug(run.framework, 10), slug(task.base_item_id, 18), initials(to_string(task.scenario)),
          initials(to_string(task.delivery)), slug(run.arm == "main" ? "" : run.arm, 8)}) {
        id += part.empty() ? "" : part + "-";
    }
    return id + digest;
}

nlohmann::json task_json(const Task& task) {
    return {{"task_id", task.task_id},
            {"base_item_id", task.base_item_id},
            {"family", to_string(task.family)},
            {"scenario", to_string(task.scenario)},
            {"delivery", to_string(task.delivery)},
            {"domain", task.domain},
            {"claim", task.claim},
            {"ground_truth_stance", task.ground_truth_stance},
            {"context_facts", task.context_facts},
            {"turns", task.turns},
            {"questions", task.questions},
            {"carries", task.carries}};
}

// Of the tasks as a set: the order of files does not count.
std::string tasks_sha256(const std::vector<Task>& tasks) {
    std::map<std::string, std::string> digests;
    for (const Task& task : tasks) {
        digests.emplace(task.task_id, json_sha256(task_json(task)));
    }
    return json_sha256(digests);
}

}  // namespace

std::vector<Task> balanced_order(std::vector<Task> tasks) {
    std::sort(tasks.begin(), tasks.end(),
              [](const Task& left, const Task& right) { return left.task_id < right.task_id; });
    Balance balance;
    std::vector<Task> ordered;
    ordered.reserve(tasks.size());
    while (!tasks.empty()) {
        const auto next = std::min_element(tasks.begin(), tasks.end(), [&balance](const Task& left, const Task& right) {
            return balance.need(left) < balance.need(right);
        });
        balance.take(*next);
        ordered.push_back(std::move(*next));
        tasks.erase(next);
    }
    return ordered;
}

std::vector<RunSpec> plan_runs(const PlanRequest& request) {
    refuse_repetition(request.frameworks, "framework");
    refuse_repetition(request.models, "model");
    std::vector<Task> tasks = balanced_order(request.tasks);
    if (request.limit > 0) {
        tasks.resize(std::min(request.limit, tasks.size()));
    }
    std::vector<RunSpec> runs;
    for (Task& task : tasks) {
        const auto shared = std::make_shared<const Task>(std::move(task));
        for (const std::string& model : request.models) {
            for (const std::string& framework : request.frameworks) {
                RunSpec run{"", shared, framework, model, request.arm};
                run.run_id = make_run_id(run, request.seed);
                runs.push_back(std::move(run));
            }
        }
    }
    return runs;
}

nlohmann::json configuration_json(const Configuration& configuration, const std::vector<Task>& tasks) {
    nlohmann::json frameworks = nlohmann::json::object();
    for (const FrameworkPin& pin : configuration.frameworks) {
        frameworks[pin.framework] = {{"version", pin.version},
                                     {"adapter_sha256", pin.adapter_sha256},
                                     {"image_id", pin.image_id},
                                     {"baseline_sha256", pin.baseline_sha256}};
    }
    return {{"frameworks", frameworks},
            {"models", configuration.models},
            {"arm", configuration.arm},
            {"seed", configuration.seed},
            {"flush", configuration.flush},
            {"limits", configuration.limits},
            {"tasks", {{"count", tasks.size()}, {"sha256", tasks_sha256(tasks)}}}};
}

std::string configuration_digest(const nlohmann::json& configuration) {
    return json_sha256(configuration);
}

}  // namespace pasb
