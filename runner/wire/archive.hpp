// Tar archives of the engine's archive endpoint <-> file system nouns, byte-exact in names and content. No file is
// opened here, and nothing is ever unpacked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/change.hpp"

namespace pasb {

// What a captured home may cost. An agent can fill its home with anything, so nothing here grows with what it wrote.
struct ArchiveLimits {
    std::uint64_t entries = 100'000;
    std::uint64_t name_bytes = 4096;             // per path and per link target
    std::uint64_t kept_file_bytes = 1U << 20U;   // a longer file keeps size and digest, its content is dropped
    std::uint64_t kept_total_bytes = 8U << 20U;  // once spent, further files keep size and digest only
    std::uint64_t read_bytes =
        4ULL << 30U;  // of content; a file that would go beyond it ends the reading (100 GB of holes)
};

struct ArchiveContent {
    Snapshot files;
    bool truncated =
        false;  // an entry or a digest is missing. Content alone dropped is not that: see FileEntry::content_kept
    std::string what;  // the first thing that is missing and the limit it met; empty when nothing is
};

// Hands over the archive's next bytes, which stay valid until the next call; an empty piece is the end.
using NextPiece = std::function<std::string_view()>;

// `folder` is the leading name to take off ("agent" for an archive of /home/agent), empty for none; a leading "./" goes
// in any case. Hard links get the content of their target. Sockets, fifos and devices become FileType::other. Of two
// entries of one path the later holds. Throws EngineError (broken) on bytes that are not a tar, on an archive without
// its end mark (the engine broke off), and on a name that leaves `folder`; whatever `next_piece` throws passes through.
// `keep` is asked once a file has been read, with its digest, whether its content is wanted; an empty one wants all.
using KeepContent = std::function<bool(const FileEntry& entry)>;
ArchiveContent read_snapshot(const NextPiece& next_piece, std::string_view folder, const ArchiveLimits& limits = {},
                             const KeepContent& keep = {});
ArchiveContent read_snapshot(std::string_view tar, std::string_view folder, const ArchiveLimits& limits = {});

struct TarEntry {
    std::string path;  // raw bytes, relative; no trailing slash for a directory
    FileType type = FileType::regular;
    std::uint32_t mode = 0644;  // permission bits
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    std::int64_t mtime = 0;   // seconds since 1970
    std::string link_target;  // symlinks only
    std::string content;      // regular files only
};

// Writes a tar piece by piece: ustar, with a pax header only for an entry that needs one. The bytes are a function of
// the entries alone. Throws InputError on an entry that no tar can hold (FileType::other, an empty path).
class TarWriter {
  public:
    using Sink = std::function<void(std::string_view piece)>;

    explicit TarWriter(Sink sink);
    ~TarWriter();
    TarWriter(const TarWriter&) = delete;
    TarWriter& operator=(const TarWriter&) = delete;

    void add(const TarEntry& entry);
    // For a regular file too big for memory: exactly `size` bytes come from `content`, else InputError; entry.content
    // is not read.
    void add(const TarEntry& entry, std::uint64_t size, const NextPiece& content);
    // Writes the end mark. Without it the archive is cut.
    void finish();

  private:
    struct Stream;
    std::unique_ptr<Stream> stream_;
};

std::string write_tar(const std::vector<TarEntry>& entries);

}  // namespace pasb
