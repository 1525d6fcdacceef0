// What changed in the agent's home between the frozen baseline and a capture. Paths are raw bytes; nothing is read from
// disk.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/change.hpp"

namespace pasb {

// Sorted by the bytes of the path. Modified: another type, mode, content or link target. Renamed: a regular file that
// is not empty, whose old path is gone and whose content stands under a path that is new; equal contents are paired by
// equal file name first, then in order of path. A directory is reported where its mode or type changed, and where it
// came or went without anything below it: one that holds something is told by what it holds.
std::vector<Change> diff(const Manifest& baseline, const Snapshot& after, std::span<const PathRule> rules,
                         std::string_view home);

Manifest manifest_of(const Snapshot& snapshot, std::span<const PathRule> rules, std::string_view home);

// One line a difference, for people, in order of path; empty when both are the same. Kinds are not compared: they
// follow from the rules.
std::vector<std::string> manifest_difference(const Manifest& expected, const Manifest& actual);

}  // namespace pasb
