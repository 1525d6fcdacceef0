#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/errors.hpp"

namespace pasb {
namespace {

Task make_task(Family family, int base, Scenario scenario, Delivery delivery) {
    Task task;
    task.family = family;
    task.scenario = scenario;
    task.delivery = delivery;
    task.base_item_id = std::string(to_string(family)) + "-own-" + std::to_string(100 + base);
    task.task_id = task.base_item_id;
    task.task_id.append("__").append(to_string(scenario)).append("__").append(to_string(delivery));
    return task;
}

// Every family with so many base items, each in all 16 renderings.
std::vector<Task> make_tasks(int bases) {
    std::vector<Task> tasks;
    for (const Family family : {Family::prf, Family::cdl, Family::soc}) {
        for (int base = 0; base < bases; ++base) {
            for (const Scenario scenario : {Scenario::personal_opinion, Scenario::signed_memory,
                                            Scenario::environment_fact, Scenario::procedural_workflow}) {
                for (const Delivery delivery :
                     {Delivery::all_at_once, Delivery::progressive, Delivery::drip, Delivery::late_shock}) {
                    tasks.push_back(make_task(family, base, scenario, delivery));
                }
            }
        }
    }
    return tasks;
}

// The largest difference in how often the values of one factor stand among the first `count` tasks.
template <typename Factor>
int spread(const std::vector<Task>& tasks, std::size_t count, std::size_t values, const Factor& factor) {
    std::map<int, int> counts;
    for (std::size_t index = 0; index < count; ++index) {
        ++counts[factor(tasks[index])];
    }
    int least = counts.size() < values ? 0 : counts.begin()->second;
    int most = 0;
    for (const auto& [value, times] : counts) {
        least = std::min(least, times);
        most = std::max(most, times);
    }
    return most - least;
}

TEST(BalancedOrder, SpreadsAnyBeginning) {
    const std::vector<Task> tasks = balanced_order(make_tasks(4));
    ASSERT_EQ(tasks.size(), 192U);
    for (std::size_t count = 1; count <= tasks.size(); ++count) {
        EXPECT_LE(spread(tasks, count, 3, [](const Task& task) { return static_cast<int>(task.family); }), 2) << count;
    }
    for (std::size_t count = 4; count <= tasks.size(); count += 4) {
        EXPECT_EQ(spread(tasks, count, 4, [](const Task& task) { return static_cast<int>(task.scenario); }), 0)
            << count;
        EXPECT_EQ(spread(tasks, count, 4, [](const Task& task) { return static_cast<int>(task.delivery); }), 0)
            << count;
    }
    const auto pair = [](const Task& task) {
        return static_cast<int>(task.scenario) * 4 + static_cast<int>(task.delivery);
    };
    EXPECT_EQ(spread(tasks, 16, 16, pair), 0);
    EXPECT_EQ(spread(tasks, 48, 16, pair), 0);
}

TEST(BalancedOrder, TakesDifferentBaseItemsFirst) {
    const std::vector<Task> tasks = balanced_order(make_tasks(4));
    std::set<std::string> bases;
    for (std::size_t index = 0; index < 12; ++index) {
        bases.insert(tasks[index].base_item_id);
    }
    EXPECT_EQ(bases.size(), 12U);
}

TEST(BalancedOrder, DoesNotDependOnTheOrderOfTheInput) {
    std::vector<Task> backwards = make_tasks(2);
    std::reverse(backwards.begin(), backwards.end());
    const std::vector<Task> one = balanced_order(make_tasks(2));
    const std::vector<Task> other = balanced_order(backwards);
    EXPECT_TRUE(std::equal(one.begin(), one.end(), other.begin(), other.end(),
                           [](const Task& left, const Task& right) { return left.task_id == right.task_id; }));
}

TEST(BalancedOrder, KeepsEveryTaskOfAnUnevenSet) {
    std::vector<Task> tasks = make_tasks(1);
    tasks.erase(tasks.begin(), tasks.begin() + 13);
    EXPECT_EQ(balanced_order(tasks).size(), 35U);
    EXPECT_TRUE(balanced_order({}).empty());
}

PlanRequest request_of(std::size_t limit) {
    return {make_tasks(1), {"hermes", "openclaw"}, {"sim:adopter"}, "main", 0, limit};
}

TEST(PlanRuns, InterleavesFrameworksAndCountsTasks) {
    const std::vector<RunSpec> runs = plan_runs(request_of(4));
    ASSERT_EQ(runs.size(), 8U);
    std::set<Scenario> scenarios;
    std::set<Delivery> deliveries;
    std::set<Family> families;
    for (std::size_t index = 0; index < runs.size(); index += 2) {
        EXPECT_EQ(runs[index].framework, "hermes");
        EXPECT_EQ(runs[index + 1].framework, "openclaw");
        EXPECT_EQ(runs[index].task->task_id, runs[index + 1].task->task_id);
        scenarios.insert(runs[index].task->scenario);
        deliveries.insert(runs[index].task->delivery);
        families.insert(runs[index].task->family);
    }
    EXPECT_EQ(scenarios.size(), 4U);
    EXPECT_EQ(deliveries.size(), 4U);
    EXPECT_EQ(families.size(), 3U);
    EXPECT_EQ(plan_runs(request_of(0)).size(), 96U);
    EXPECT_EQ(plan_runs(request_of(1000)).size(), 96U);
}

TEST(PlanRuns, OnlyAddsWhenTheLimitGrows) {
    const std::vector<RunSpec> few = plan_runs(request_of(5));
    const std::vector<RunSpec> many = plan_runs(request_of(20));
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin(),
                           [](const RunSpec& left, const RunSpec& right) { return left.run_id == right.run_id; }));
}

TEST(PlanRuns, GivesEachRunAnIdOfItsOwn) {
    PlanRequest request = request_of(0);
    request.models = {"sim:adopter", "sim:clerk"};
    std::set<std::string> ids;
    for (const std::uint64_t seed : {0U, 1U}) {
        for (const char* arm : {"main", "correction-2"}) {
            request.seed = seed;
            request.arm = arm;
            for (const RunSpec& run : plan_runs(request)) {
                EXPECT_LE(run.run_id.size(), 60U);
                EXPECT_EQ(run.run_id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos);
                EXPECT_TRUE(ids.insert(run.run_id).second) << run.run_id;
            }
        }
    }
    EXPECT_EQ(ids.size(), 4U * 192U);
}

TEST(PlanRuns, KeepsItsIds) {
    PlanRequest request = request_of(0);
    request.tasks = {make_task(Family::soc, 1, Scenario::signed_memory, Delivery::late_shock)};
    EXPECT_EQ(plan_runs(request)[0].run_id, "hermes-soc-own-101-sm-ls-171f6097beb6");
    request.tasks[0].base_item_id = "A name, \xC3\xA9 __ very long and with odd letters in it";
    request.frameworks = {"another-framework-of-some-length"};
    request.arm = "prevention-strong";
    EXPECT_EQ(plan_runs(request)[0].run_id.substr(0, 45), "another-fr-a-name-very-long-a-sm-ls-preventi-");
}

TEST(PlanRuns, RefusesAFrameworkNamedTwice) {
    PlanRequest request = request_of(1);
    request.frameworks = {"hermes", "hermes"};
    EXPECT_THROW(plan_runs(request), InputError);
}

TEST(Configuration, ChangesWithEverythingThatMustNotBeMixed) {
    const std::vector<Task> tasks = make_tasks(1);
    Configuration base;
    base.frameworks = {{"hermes", "0.19.0", "a", "sha256:i", "b"}, {"openclaw", "2026.9.6", "a", "sha256:j", "b"}};
    base.models = {{{"name", "sim:adopter"}}};
    base.flush = "paper";
    const std::string digest = configuration_digest(configuration_json(base, tasks));
    const auto differs = [&](const auto& change) {
        Configuration changed = base;
        std::vector<Task> changed_tasks = tasks;
        change(changed, changed_tasks);
        return configuration_digest(configuration_json(changed, changed_tasks)) != digest;
    };
    using C = Configuration;
    using T = std::vector<Task>;
    EXPECT_TRUE(differs([](C& changed, T&) { changed.frameworks[0].image_id = "sha256:k"; }));
    EXPECT_TRUE(differs([](C& changed, T&) { changed.frameworks[1].adapter_sha256 = "c"; }));
    EXPECT_TRUE(differs([](C& changed, T&) { changed.frameworks.pop_back(); }));
    EXPECT_TRUE(differs([](C& changed, T&) { changed.models[0]["name"] = "sim:clerk"; }));
    EXPECT_TRUE(differs([](C& changed, T&) { changed.flush = "settled"; }));
    EXPECT_TRUE(differs([](C& changed, T&) { changed.seed = 1; }));
    EXPECT_TRUE(differs([](C& changed, T&) { changed.limits["pids"] = 1; }));
    EXPECT_TRUE(differs([](C&, T& changed) { changed[3].turns[0] = "another text"; }));
    EXPECT_TRUE(differs([](C&, T& changed) { changed.pop_back(); }));
    EXPECT_FALSE(differs([](C& changed, T& changed_tasks) {
        std::swap(changed.frameworks[0], changed.frameworks[1]);
        std::swap(changed_tasks[0], changed_tasks[1]);
        changed_tasks[2].origin = "elsewhere:7";
    })) << "the order of files and names is no part of it";
}

}  // namespace
}  // namespace pasb
