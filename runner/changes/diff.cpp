#include "changes/diff.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "changes/path_rules.hpp"
#include "changes/printable.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

template <typename Entries>
bool holds_something(const Entries& entries, const std::string& directory) {
    const std::string prefix = directory + '/';
    const auto below = entries.lower_bound(prefix);
    return below != entries.end() && below->first.starts_with(prefix);
}

bool same(const ManifestEntry& before, const FileEntry& now) {
    return before.type == now.type && before.mode == now.mode && before.sha256 == now.sha256;
}

Change change_of(const FileEntry& entry, ChangeType type, PathKind kind) {
    Change change;
    change.path = entry.path;
    change.change = type;
    change.type = entry.type;
    change.kind = kind;
    change.size = entry.size;
    change.sha256 = entry.sha256;
    return change;
}

Change deletion_of(const ManifestEntry& entry, PathKind kind) {
    Change change;
    change.path = entry.path;
    change.change = ChangeType::deleted;
    change.type = entry.type;
    change.kind = kind;
    return change;
}

std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

// Indices of the deletion and the addition that together are one renaming.
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs pair_renames(const std::vector<ManifestEntry>& gone, const std::vector<Change>& added) {
    static const std::string empty_file = sha256_hex("");
    std::map<std::string, std::vector<std::size_t>> gone_by_content;
    for (std::size_t i = 0; i < gone.size(); ++i) {
        const bool content =
            gone[i].type == FileType::regular && !gone[i].sha256.empty() && gone[i].sha256 != empty_file;
        if (content) {
            gone_by_content[gone[i].sha256].push_back(i);
        }
    }
    Pairs pairs;
    std::set<std::size_t> used;
    const auto pair_up = [&](bool same_name) {
        for (std::size_t i = 0; i < added.size(); ++i) {
            const auto candidates = gone_by_content.find(added[i].sha256);
            if (used.contains(i) || added[i].type != FileType::regular || candidates == gone_by_content.end()) {
                continue;
            }
            std::vector<std::size_t>& old = candidates->second;
            const auto found = std::find_if(old.begin(), old.end(), [&](std::size_t candidate) {
                return !same_name || file_name(gone[candidate].path) == file_name(added[i].path);
            });
            if (found != old.end()) {
                pairs.emplace_back(*found, i);
                old.erase(found);
                used.insert(i);
            }
        }
    };
    pair_up(true);
    pair_up(false);
    return pairs;
}

std::string octal(std::uint32_t mode) {
    std::string digits;
    for (int shift = 9; shift >= 0; shift -= 3) {
        digits += static_cast<char>('0' + ((mode >> static_cast<unsigned>(shift)) & 7U));
    }
    return digits;
}

std::string short_hash(const std::string& sha256) {
    return sha256.empty() ? "none" : sha256.substr(0, 12);
}

std::string describe(const ManifestEntry& entry) {
    return std::string(to_string(entry.type)) + ", mode " + octal(entry.mode) +
           (entry.sha256.empty() ? "" : ", sha256 " + short_hash(entry.sha256));
}

std::string differences(const ManifestEntry& expected, const ManifestEntry& actual) {
    std::string text;
    const auto add = [&text](std::string_view what, std::string_view from, std::string_view to) {
        text += text.empty() ? "" : ", ";
        text += what;
        text += ' ';
        text += from;
        text += " -> ";
        text += to;
    };
    if (expected.type != actual.type) {
        add("type", to_string(expected.type), to_string(actual.type));
    }
    if (expected.mode != actual.mode) {
        add("mode", octal(expected.mode), octal(actual.mode));
    }
    if (expected.sha256 != actual.sha256) {
        add("sha256", short_hash(expected.sha256), short_hash(actual.sha256));
    }
    return text;
}

}  // namespace

std::vector<Change> diff(const Manifest& baseline, const Snapshot& after, std::span<const PathRule> rules,
                         std::string_view home) {
    std::vector<Change> changes;
    std::vector<Change> added;
    for (const auto& [path, entry] : after) {
        const auto before = baseline.find(path);
        if (before == baseline.end()) {
            if (entry.type != FileType::directory || !holds_something(after, path)) {
                added.push_back(change_of(entry, ChangeType::added, classify(path, rules, home)));
            }
        } else if (!same(before->second, entry)) {
            changes.push_back(change_of(entry, ChangeType::modified, classify(path, rules, home)));
        }
    }
    std::vector<ManifestEntry> gone;
    for (const auto& [path, entry] : baseline) {
        if (!after.contains(path) && (entry.type != FileType::directory || !holds_something(baseline, path))) {
            gone.push_back(entry);
        }
    }
    std::set<std::size_t> gone_by_renaming;
    for (const auto& [old, fresh] : pair_renames(gone, added)) {
        added[fresh].change = ChangeType::renamed;
        added[fresh].renamed_from = gone[old].path;
        gone_by_renaming.insert(old);
    }
    for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone_by_renaming.contains(i)) {
            changes.push_back(deletion_of(gone[i], classify(gone[i].path, rules, home)));
        }
    }
    changes.insert(changes.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    std::sort(changes.begin(), changes.end(),
              [](const Change& left, const Change& right) { return left.path < right.path; });
    return changes;
}

Manifest manifest_of(const Snapshot& snapshot, std::span<const PathRule> rules, std::string_view home) {
    Manifest manifest;
    for (const auto& [path, entry] : snapshot) {
        manifest[path] = {path, entry.type, entry.mode, entry.sha256, classify(path, rules, home)};
    }
    return manifest;
}

std::vector<std::string> manifest_difference(const Manifest& expected, const Manifest& actual) {
    std::map<std::string, std::string> lines;
    for (const auto& [path, entry] : expected) {
        const auto found = actual.find(path);
        if (found == actual.end()) {
            lines[path] = "missing: " + printable(path) + ": " + describe(entry);
            continue;
        }
        const std::string text = differences(entry, found->second);
        if (!text.empty()) {
            lines[path] = "modified: " + printable(path) + ": " + text;
        }
    }
    for (const auto& [path, entry] : actual) {
        if (!expected.contains(path)) {
            lines[path] = "unexpected: " + printable(path) + ": " + describe(entry);
        }
    }
    std::vector<std::string> result;
    result.reserve(lines.size());
    for (auto& [path, line] : lines) {
        result.push_back(std::move(line));
    }
    return result;
}

}  // namespace pasb
