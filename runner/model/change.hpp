// File system nouns: an entry of a captured home, a baseline manifest, a change between the two. Byte-exact paths,
// never assumed UTF-8.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/adapter.hpp"

namespace pasb {

enum class FileType { regular, directory, symlink, other };

struct FileEntry {
    std::string path;  // relative to the agent's home, raw bytes, no leading or trailing slash
    FileType type = FileType::regular;
    std::uint32_t mode = 0;  // permission bits only
    std::uint64_t size = 0;  // as the archive says, also when the content was cut
    std::string sha256;      // of the whole content (regular) or of the link's target (symlink)
    std::string link_target;
    std::string content;        // regular files only; may be empty although size > 0, see content_kept
    bool content_kept = false;  // false when a cap on size or count made the reader drop the content
};

// A captured home: path -> entry.
using Snapshot = std::map<std::string, FileEntry>;

struct ManifestEntry {
    std::string path;
    FileType type = FileType::regular;
    std::uint32_t mode = 0;
    std::string sha256;
    PathKind kind = PathKind::unknown;
};

using Manifest = std::map<std::string, ManifestEntry>;

enum class ChangeType {
    added,
    modified,
    deleted,
    renamed
};  // renamed: same content under a new path, the old path gone

std::string_view to_string(ChangeType change);
std::string_view to_string(FileType type);
ChangeType change_type_from(std::string_view name);  // throw InputError that lists the accepted names
FileType file_type_from(std::string_view name);

struct Change {
    std::string path;
    std::string renamed_from;  // only for renamed
    ChangeType change = ChangeType::added;
    FileType type = FileType::regular;
    PathKind kind = PathKind::unknown;
    std::uint64_t size = 0;
    std::string sha256;  // of the new content; empty for deleted
};

}  // namespace pasb
