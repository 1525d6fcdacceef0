#include "changes/engine_changes.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "changes/path_rules.hpp"

namespace pasb {
namespace {

// What Podman and Docker put into a container of their own accord.
constexpr std::array engine_made{"/.dockerenv",
                                 "/dev",
                                 "/dev/**",
                                 "/etc/hostname",
                                 "/etc/hosts",
                                 "/etc/mtab",
                                 "/etc/resolv.conf",
                                 "/proc",
                                 "/proc/**",
                                 "/run/.containerenv",
                                 "/run/pasb",
                                 "/run/secrets",
                                 "/run/secrets/**",
                                 "/sys",
                                 "/sys/**",
                                 "/sbin/docker-init",
                                 "/usr/sbin/docker-init"};

// Folders that the engine itself touches when it puts the files above into them.
constexpr std::array engine_touched{"/etc", "/run"};

bool made_by_engine(std::string_view path, ChangeType change) {
    if (change == ChangeType::modified &&
        std::find(engine_touched.begin(), engine_touched.end(), path) != engine_touched.end()) {
        return true;
    }
    return std::any_of(engine_made.begin(), engine_made.end(),
                       [&](std::string_view glob) { return glob_matches(glob, path); });
}

bool is_or_is_below(std::string_view path, std::string_view directory) {
    return path.starts_with(directory) && (path.size() == directory.size() || path[directory.size()] == '/');
}

std::string_view without_trailing_slash(std::string_view path) {
    while (path.size() > 1 && path.back() == '/') {
        path.remove_suffix(1);
    }
    return path;
}

}  // namespace

OutsideChanges outside_home(std::span<const EngineChange> listed, std::span<const PathRule> rules,
                            std::string_view home) {
    home = without_trailing_slash(home);
    std::map<std::string, ChangeType> by_path;
    for (const EngineChange& change : listed) {
        by_path.emplace(without_trailing_slash(change.path), change.change);
    }
    const auto only_a_parent = [&](const std::string& path, ChangeType change) {
        const std::string prefix = path == "/" ? path : path + '/';
        const auto below = by_path.upper_bound(prefix);
        const bool listed_below = below != by_path.end() && below->first.starts_with(prefix);
        return change != ChangeType::deleted && (listed_below || home.starts_with(prefix));
    };
    OutsideChanges outside;
    for (const auto& [path, change] : by_path) {
        if (is_or_is_below(path, home) || made_by_engine(path, change) || only_a_parent(path, change)) {
            continue;
        }
        Change entry;
        entry.path = path;
        entry.change = change;
        entry.type = FileType::other;
        entry.kind = classify(path, rules, home);
        (entry.kind == PathKind::unknown ? outside.unclassified : outside.other).push_back(std::move(entry));
    }
    return outside;
}

}  // namespace pasb
