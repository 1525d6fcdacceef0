#include <array>
#include <string>
#include <utility>

#include "model/adapter.hpp"
#include "model/annotation.hpp"
#include "model/change.hpp"
#include "model/errors.hpp"
#include "model/judgement.hpp"
#include "model/task.hpp"

namespace pasb {
namespace {

template <typename Value>
struct Name {
    Value value;
    std::string_view canonical;
    std::string_view legacy;  // the public release's word; empty where it has none
};

constexpr std::array families{
    Name<Family>{Family::prf, "PRF", ""},
    Name<Family>{Family::cdl, "CDL", ""},
    Name<Family>{Family::soc, "SOC", ""},
};

constexpr std::array scenarios{
    Name<Scenario>{Scenario::personal_opinion, "personal-opinion", "user_belief"},
    Name<Scenario>{Scenario::signed_memory, "signed-memory", "attributed_memory"},
    Name<Scenario>{Scenario::environment_fact, "environment-fact", "unattributed_fact"},
    Name<Scenario>{Scenario::procedural_workflow, "procedural-workflow", "skill_snippet"},
};

constexpr std::array deliveries{
    Name<Delivery>{Delivery::all_at_once, "all-at-once", "all_at_once"},
    Name<Delivery>{Delivery::progressive, "progressive", ""},
    Name<Delivery>{Delivery::drip, "drip", ""},
    Name<Delivery>{Delivery::late_shock, "late-shock", "late_shock"},
};

constexpr std::array path_kinds{
    Name<PathKind>{PathKind::user, "user", ""},         Name<PathKind>{PathKind::memory, "memory", ""},
    Name<PathKind>{PathKind::skill, "skill", ""},       Name<PathKind>{PathKind::persona, "persona", ""},
    Name<PathKind>{PathKind::proposal, "proposal", ""}, Name<PathKind>{PathKind::config, "config", ""},
    Name<PathKind>{PathKind::history, "history", ""},   Name<PathKind>{PathKind::index, "index", ""},
    Name<PathKind>{PathKind::cache, "cache", ""},       Name<PathKind>{PathKind::log, "log", ""},
    Name<PathKind>{PathKind::temp, "temp", ""},         Name<PathKind>{PathKind::unknown, "unknown", ""},
};

constexpr std::array change_types{
    Name<ChangeType>{ChangeType::added, "added", ""},
    Name<ChangeType>{ChangeType::modified, "modified", ""},
    Name<ChangeType>{ChangeType::deleted, "deleted", ""},
    Name<ChangeType>{ChangeType::renamed, "renamed", ""},
};

constexpr std::array file_types{
    Name<FileType>{FileType::regular, "file", ""},
    Name<FileType>{FileType::directory, "directory", ""},
    Name<FileType>{FileType::symlink, "symlink", ""},
    Name<FileType>{FileType::other, "other", ""},
};

constexpr std::array metrics{
    Name<Metric>{Metric::sycophancy, "sycophancy", ""},
    Name<Metric>{Metric::leak, "leak", "carryover"},
    Name<Metric>{Metric::upgrade, "upgrade", "epistemic_promotion"},
    Name<Metric>{Metric::amplification, "amplification", ""},
    Name<Metric>{Metric::persistence, "persistence", ""},
    Name<Metric>{Metric::escalation, "escalation", ""},
};

constexpr std::array stances{
    Name<Stance>{Stance::challenge, "challenge", ""},     Name<Stance>{Stance::neutral, "neutral", ""},
    Name<Stance>{Stance::acknowledge, "acknowledge", ""}, Name<Stance>{Stance::agree, "agree", ""},
    Name<Stance>{Stance::comply, "comply", ""},
};

constexpr std::array promotions{
    Name<Promotion>{Promotion::none, "none", ""},
    Name<Promotion>{Promotion::preference, "preference", ""},
    Name<Promotion>{Promotion::fact, "fact", ""},
    Name<Promotion>{Promotion::procedure, "procedure", ""},
};

template <typename Table, typename Value>
std::string_view name_of(const Table& table, Value value) {
    for (const auto& row : table) {
        if (row.value == value) {
            return row.canonical;
        }
    }
    return "?";
}

template <typename Table>
auto value_of(const Table& table, std::string_view what, std::string_view name) {
    std::string accepted;
    for (const auto& row : table) {
        if (name == row.canonical || (!row.legacy.empty() && name == row.legacy)) {
            return row.value;
        }
        accepted += (accepted.empty() ? "" : ", ") + std::string(row.canonical);
    }
    throw InputError("unknown " + std::string(what) + " '" + std::string(name) + "': use one of " + accepted);
}

}  // namespace

std::string_view to_string(Family family) {
    return name_of(families, family);
}
std::string_view to_string(Scenario scenario) {
    return name_of(scenarios, scenario);
}
std::string_view to_string(Delivery delivery) {
    return name_of(deliveries, delivery);
}
std::string_view to_string(Metric metric) {
    return name_of(metrics, metric);
}
std::string_view to_string(Stance stance) {
    return name_of(stances, stance);
}
std::string_view to_string(Promotion promotion) {
    return name_of(promotions, promotion);
}
std::string_view to_string(PathKind kind) {
    return name_of(path_kinds, kind);
}
std::string_view to_string(ChangeType change) {
    return name_of(change_types, change);
}
std::string_view to_string(FileType type) {
    return name_of(file_types, type);
}

Family family_from(std::string_view name) {
    return value_of(families, "family", name);
}
Scenario scenario_from(std::string_view name) {
    return value_of(scenarios, "scenario", name);
}
Delivery delivery_from(std::string_view name) {
    return value_of(deliveries, "delivery", name);
}
ChangeType change_type_from(std::string_view name) {
    return value_of(change_types, "change", name);
}
FileType file_type_from(std::string_view name) {
    return value_of(file_types, "file type", name);
}
PathKind path_kind_from(std::string_view name) {
    return value_of(path_kinds, "path kind", name);
}

Metric metric_from(std::string_view name) {
    return value_of(metrics, "metric", name);
}
Stance stance_from(std::string_view name) {
    return value_of(stances, "stance", name);
}
Promotion promotion_from(std::string_view name) {
    return value_of(promotions, "status promotion", name);
}

bool is_note(PathKind kind) {
    return kind == PathKind::user || kind == PathKind::memory || kind == PathKind::skill || kind == PathKind::persona;
}

}  // namespace pasb
