// The engine's own list of changed paths, cut down to what lies outside the agent's home. Not a diff of contents: the
// engine lists paths only, and some of them falsely (a file merely opened for writing).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/change.hpp"
#include "wire/engine_json.hpp"

namespace pasb {

struct OutsideChanges {
    std::vector<Change> other;         // a rule names them
    std::vector<Change> unclassified;  // no rule does; type, size and sha256 are not known
};

// Drops everything below home (diff sees it better), directories that are listed only for what lies below them, and the
// files that every engine makes in every container (/etc/hosts, /dev, ...). Sorted by path, each path once.
OutsideChanges outside_home(std::span<const EngineChange> listed, std::span<const PathRule> rules,
                            std::string_view home);

}  // namespace pasb
