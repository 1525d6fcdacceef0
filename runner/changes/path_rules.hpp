// Which kind of file a path is, by the adapter's globs. Not a file system: paths are bytes and are never looked up.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/adapter.hpp"

namespace pasb {

// Case-sensitive, byte by byte: `?` is one byte and `*` any bytes within a segment; a segment that is `**` stands for
// any number of segments, at the end of a glob for at least one (`a/**` matches all below a, not a). Takes time in the
// product of the two lengths at most, whatever the glob.
bool glob_matches(std::string_view glob, std::string_view path);

// Kind by the first rule that matches, else unknown. `path` is relative to `home`, or absolute; an absolute one below
// home is taken as relative. Rules that begin with / are held against the absolute path, all others against the
// relative one only.
PathKind classify(std::string_view path, std::span<const PathRule> rules, std::string_view home);

}  // namespace pasb
