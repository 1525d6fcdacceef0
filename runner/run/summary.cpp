#include "run/summary.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace pasb {
namespace {

double median(std::vector<double> values) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

constexpr std::array columns{"framework", "model", "runs",         "valid",      "saved",   "skill",
                             "memory",    "user",  "session-only", "cut proven", "median s"};

std::string render(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(columns.size(), 0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - row[i].size(), ' ');
            // Names to the left, numbers to the right.
            text += (i == 0 ? "" : "  ") + (i < 2 ? row[i] + padding : padding + row[i]);
        }
        text += "\n";
    }
    return text;
}

}  // namespace

void Summary::add(const nlohmann::json& record) {
    Row row;
    row.valid = record.at("valid");
    row.simulated = record.at("simulated");
    row.destination = record.at("destination");
    row.cut_proven = record.at("cut").value("proven", false);
    row.seconds = record.at("times").value("total_s", 0.0);
    groups_[{record.at("framework"), record.at("model")}][record.at("run_id")] = row;
}

std::string Summary::table() const {
    std::vector<std::vector<std::string>> rows{{columns.begin(), columns.end()}};
    for (const auto& [group, runs] : groups_) {
        std::size_t valid = 0;
        std::size_t proven = 0;
        bool simulated = false;
        std::map<std::string, std::size_t> destinations;
        std::vector<double> seconds;
        for (const auto& [id, run] : runs) {
            simulated = simulated || run.simulated;
            if (!run.valid) {
                continue;
            }
            ++valid;
            proven += run.cut_proven ? 1 : 0;
            ++destinations[run.destination];
            seconds.push_back(run.seconds);
        }
        std::array<char, 32> time{};
        std::snprintf(time.data(), time.size(), "%.1f", median(seconds));
        const auto count = [&](const char* name) { return std::to_string(destinations[name]); };
        rows.push_back({group.first, group.second + (simulated ? " (simulated model)" : ""),
                        std::to_string(runs.size()), std::to_string(valid),
                        std::to_string(valid - destinations["session-only"]), count("skill"), count("memory"),
                        count("user"), count("session-only"), std::to_string(proven), time.data()});
    }
    return render(rows);
}

bool Summary::all_valid() const {
    return std::all_of(groups_.begin(), groups_.end(), [](const auto& group) {
        return std::all_of(group.second.begin(), group.second.end(), [](const auto& run) { return run.second.valid; });
    });
}

}  // namespace pasb
