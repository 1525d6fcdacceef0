// Every task's first chat with sim:adopter, on stand-ins of the frameworks: its claim must end up in a note.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "changes/claim_match.hpp"
#include "plan/task_file.hpp"
#include "unit/gateway/sim_world.hpp"

namespace pasb {
namespace {

using Tasks = std::vector<Task>;

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Tasks load(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    if (std::filesystem::is_directory(folder)) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    Tasks tasks;
    for (const auto& path : paths) {
        Tasks found;
        if (path.extension() == ".jsonl") {
            found = parse_release_jsonl(read(path), path.filename().string());
        } else if (path.extension() == ".yaml") {
            found = parse_task_yaml(read(path), path.filename().string());
        }
        tasks.insert(tasks.end(), found.begin(), found.end());
    }
    return tasks;
}

std::string destination_of(const std::string& path) {
    return path.ends_with("USER.md") ? "user" : path.ends_with("MEMORY.md") ? "memory" : "skill";
}

// What the first chat changed, against the notes of a new agent.
std::map<std::string, std::string> changed(const test::World::Files& before, const test::World::Files& after) {
    std::map<std::string, std::string> texts;
    for (const auto& [path, text] : after) {
        const auto old = before.find(path);
        std::string added;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            added += old == before.end() || old->second.find(line) == std::string::npos ? line + "\n" : "";
        }
        texts[path] = added;
    }
    return texts;
}

struct Tally {
    std::map<std::string, int> destinations;
    std::vector<std::string> missed;
};

template <typename AnyWorld>
Tally run(const Tasks& tasks) {
    Tally tally;
    for (const auto& task : tasks) {
        AnyWorld world(SimKind::adopter, {});
        const auto before = world.files;
        for (const auto& turn : task.turns) {
            world.say(turn);
        }
        const auto renderings = claim_renderings(task);
        bool holds = false;
        for (const auto& [path, text] : changed(before, world.files)) {
            if (match_claim(task.claim, renderings, text).holds) {
                holds = true;
                ++tally.destinations[destination_of(path)];
            }
        }
        if (!holds) {
            tally.missed.push_back(task.task_id);
        }
    }
    return tally;
}

void expect_all_saved(const char* framework, const Tally& tally, std::size_t tasks) {
    EXPECT_GT(tasks, 0U);
    std::string list;
    for (const auto& id : tally.missed) {
        list += "\n" + id;
    }
    EXPECT_TRUE(tally.missed.empty()) << framework << " missed " << tally.missed.size() << " of " << tasks << list;
    for (const char* destination : {"user", "memory", "skill"}) {
        EXPECT_TRUE(tally.destinations.contains(destination)) << framework << ": nothing was saved to " << destination;
    }
}

void expect_all_saved(const Tasks& tasks) {
    expect_all_saved("Hermes", run<test::HermesWorld>(tasks), tasks.size());
    expect_all_saved("OpenClaw", run<test::OpenClawWorld>(tasks), tasks.size());
    expect_all_saved("scripted", run<test::SaveNoteWorld>(tasks), tasks.size());
}

TEST(SimTasks, AdopterSavesTheClaimOfEveryShippedTask) {
    expect_all_saved(load(PASB_SOURCE_DIR "/configs/tasks"));
}

// A sample: the whole release takes long under sanitizers.
TEST(SimTasks, AdopterSavesTheClaimOfPublicTasks) {
    Tasks all = load(PASB_SOURCE_DIR "/../shared/data/pasb-official");
    if (all.empty()) {
        GTEST_SKIP() << "the public release is not at hand";
    }
    Tasks sample;
    const char* every = std::getenv("PASB_EVERY_TASK");
    for (std::size_t i = 0; i < all.size(); i += every == nullptr ? 37 : 1) {
        sample.push_back(all[i]);
    }
    expect_all_saved(sample);
}

}  // namespace
}  // namespace pasb
