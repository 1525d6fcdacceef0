#include "wire/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "model/errors.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

constexpr std::size_t end_mark_bytes = 1024;  // two blocks of zeros
constexpr std::size_t buffer_bytes = 64U << 10U;

// libarchive translates names into the thread's locale, and composes accents where that is UTF-8. Only in "C" do all
// bytes come through.
class PlainLocale {
  public:
    PlainLocale() : plain_(newlocale(LC_ALL_MASK, "C", nullptr)), before_(uselocale(plain_)) {}
    ~PlainLocale() {
        uselocale(before_);
        freelocale(plain_);
    }
    PlainLocale(const PlainLocale&) = delete;
    PlainLocale& operator=(const PlainLocale&) = delete;

  private:
    locale_t plain_;
    locale_t before_;
};

std::string error_text(archive* handle) {
    const char* text = archive_error_string(handle);
    return text == nullptr ? "unknown trouble" : text;
}

[[noreturn]] void throw_broken(const std::string& what) {
    throw EngineError(EngineError::Kind::broken, 0, "the engine's archive: " + what);
}

std::string_view text_or_empty(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

std::size_t trailing_zeros(std::string_view piece, std::size_t before) {
    const std::size_t last = piece.find_last_not_of('\0');
    return last == std::string_view::npos ? before + piece.size() : piece.size() - 1 - last;
}

// Empty, "." and ".." segments never come from a file system; such a name must not find its way into the next
// container.
bool has_odd_segment(std::string_view path) {
    while (true) {
        const std::size_t slash = path.find('/');
        const std::string_view segment = path.substr(0, slash);
        if (segment.empty() || segment == "." || segment == "..") {
            return true;
        }
        if (slash == std::string_view::npos) {
            return false;
        }
        path.remove_prefix(slash + 1);
    }
}

// The name below `folder`; empty for the folder itself.
std::string_view name_below(std::string_view name, std::string_view folder) {
    const std::string_view whole = name;
    while (name.starts_with("./")) {
        name.remove_prefix(2);
    }
    while (name.ends_with('/')) {
        name.remove_suffix(1);
    }
    if (name.empty() || name == ".") {
        return {};
    }
    if (has_odd_segment(name)) {
        throw_broken("odd name '" + std::string(whole) + "'");
    }
    if (folder.empty()) {
        return name;
    }
    if (!name.starts_with(folder) || (name.size() > folder.size() && name[folder.size()] != '/')) {
        throw_broken("name '" + std::string(whole) + "' is not below '" + std::string(folder) + "'");
    }
    name.remove_prefix(folder.size());
    if (!name.empty()) {
        name.remove_prefix(1);
    }
    return name;
}

FileType type_of(archive_entry* entry) {
    switch (archive_entry_filetype(entry)) {
        case AE_IFREG:
            return FileType::regular;
        case AE_IFDIR:
            return FileType::directory;
        case AE_IFLNK:
            return FileType::symlink;
        default:
            return FileType::other;
    }
}

// The archive's bytes as libarchive pulls them. No exception may pass through the C library, so it waits here.
struct Source {
    const NextPiece& next_piece;
    std::size_t zeros_at_end = 0;
    bool ended = false;
    std::exception_ptr error;

    std::string_view next() {
        const std::string_view piece = ended ? std::string_view() : next_piece();
        ended = piece.empty();
        zeros_at_end = trailing_zeros(piece, zeros_at_end);
        return piece;
    }

    static la_ssize_t read(archive* handle, void* self, const void** bytes) {
        auto& source = *static_cast<Source*>(self);
        try {
            const std::string_view piece = source.next();
            *bytes = piece.data();
            return static_cast<la_ssize_t>(piece.size());
        } catch (...) {
            source.error = std::current_exception();
            archive_set_error(handle, EIO, "the source failed");
            return ARCHIVE_FATAL;
        }
    }
};

class SnapshotReader {
  public:
    SnapshotReader(const NextPiece& next_piece, std::string_view folder, const ArchiveLimits& limits,
                   const KeepContent& wanted)
        : source_{next_piece, 0, false, nullptr},
          folder_(folder),
          limits_(limits),
          wanted_(wanted),
          read_left_(limits.read_bytes),
          kept_left_(limits.kept_total_bytes) {}

    ArchiveContent read() {
        archive_read_support_format_tar(handle_.get());
        archive_read_support_format_empty(handle_.get());
        check(archive_read_open(handle_.get(), &source_, nullptr, &Source::read, nullptr));
        while (archive_entry* entry = next_entry()) {
            if (!take(entry)) {
                return std::move(content_);
            }
        }
        while (!source_.next().empty()) {
        }
        if (source_.zeros_at_end < end_mark_bytes) {
            throw_broken("cut short, no end mark");
        }
        return std::move(content_);
    }

  private:
    void check(la_ssize_t result) {
        if (result >= ARCHIVE_WARN) {
            return;
        }
        if (source_.error) {
            std::rethrow_exception(source_.error);
        }
        throw_broken(error_text(handle_.get()));
    }

    archive_entry* next_entry() {
        archive_entry* entry = nullptr;
        const int result = archive_read_next_header(handle_.get(), &entry);
        if (result == ARCHIVE_EOF) {
            return nullptr;
        }
        check(result);
        return entry;
    }

    // False when a limit ends the reading.
    bool take(archive_entry* entry) {
        const std::string_view path = name_below(text_or_empty(archive_entry_pathname(entry)), folder_);
        if (path.empty()) {
            return true;
        }
        if (content_.files.size() >= limits_.entries) {
            lose("more than " + std::to_string(limits_.entries) + " entries");
            return false;
        }
        const std::string_view target = text_or_empty(archive_entry_symlink(entry));
        if (path.size() > limits_.name_bytes || target.size() > limits_.name_bytes) {
            lose("a name longer than " + std::to_string(limits_.name_bytes) +
                 " bytes: " + std::string(path.substr(0, 80)));
            return true;
        }
        FileEntry file;
        file.path = path;
        file.mode = archive_entry_perm(entry) & 07777U;
        file.type = type_of(entry);
        bool more = true;
        if (const char* first_name = archive_entry_hardlink(entry)) {
            copy_content(file, name_below(first_name, folder_));
        } else if (file.type == FileType::symlink) {
            file.link_target = target;
            file.size = target.size();
            file.sha256 = sha256_hex(target);
        } else if (file.type == FileType::regular) {
            more = read_content(file, entry);
        }
        content_.files.insert_or_assign(file.path, std::move(file));
        return more;
    }

    bool may_keep(std::uint64_t size) const { return size <= limits_.kept_file_bytes && size <= kept_left_; }

    void keep(FileEntry& file, std::string content) {
        if (wanted_ && !wanted_(file)) {
            return;
        }
        kept_left_ -= content.size();
        file.content = std::move(content);
        file.content_kept = true;
    }

    bool read_content(FileEntry& file, archive_entry* entry) {
        file.size = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
        if (file.size > read_left_) {
            lose("more than " + std::to_string(limits_.read_bytes) + " bytes, reached at " + file.path);
            return false;
        }
        read_left_ -= file.size;
        const bool keep_it = may_keep(file.size);
        std::string content;
        Sha256 digest;
        std::uint64_t done = 0;
        while (true) {
            const la_ssize_t got = archive_read_data(handle_.get(), buffer_.data(), buffer_.size());
            if (got < 0) {
                check(ARCHIVE_FATAL);
            }
            if (got == 0) {
                break;
            }
            done += static_cast<std::uint64_t>(got);
            if (done > file.size) {
                throw_broken("more content than '" + file.path + "' declares");
            }
            const std::string_view piece(buffer_.data(), static_cast<std::size_t>(got));
            digest.add(piece);
            if (keep_it) {
                content += piece;
            }
        }
        file.size = done;
        file.sha256 = digest.hex();
        if (keep_it) {
            keep(file, std::move(content));
        }
        return true;
    }

    // A hard link stands in the archive as a name only.
    void copy_content(FileEntry& file, std::string_view first_name) {
        const auto found = content_.files.find(std::string(first_name));
        if (found == content_.files.end()) {
            lose("the target of hard link " + file.path);
            return;
        }
        const FileEntry& first = found->second;
        file.type = first.type;
        file.size = first.size;
        file.sha256 = first.sha256;
        file.link_target = first.link_target;
        if (first.content_kept && may_keep(first.size)) {
            keep(file, first.content);
        }
    }

    void lose(std::string what) {
        if (!content_.truncated) {
            content_.truncated = true;
            content_.what = std::move(what);
        }
    }

    PlainLocale locale_;
    Source source_;
    std::string_view folder_;
    const ArchiveLimits& limits_;
    const KeepContent& wanted_;
    std::uint64_t read_left_;
    std::uint64_t kept_left_;
    std::unique_ptr<archive, decltype(&archive_read_free)> handle_{archive_read_new(), &archive_read_free};
    std::string buffer_ = std::string(buffer_bytes, '\0');
    ArchiveContent content_;
};

la_int64_t signed_size(std::uint64_t size) {
    return static_cast<la_int64_t>(size);
}

__LA_MODE_T mode_bits(FileType type) {
    switch (type) {
        case FileType::directory:
            return AE_IFDIR;
        case FileType::symlink:
            return AE_IFLNK;
        default:
            return AE_IFREG;
    }
}

void check_entry(const TarEntry& entry) {
    if (entry.type == FileType::other) {
        throw InputError("'" + entry.path + "' is neither a file, a folder nor a link: it cannot be put into a tar");
    }
    if (has_odd_segment(entry.path) || entry.path.find('\0') != std::string::npos) {
        throw InputError("'" + entry.path + "' is no path for a tar: give a relative one without . and ..");
    }
}

}  // namespace

ArchiveContent read_snapshot(const NextPiece& next_piece, std::string_view folder, const ArchiveLimits& limits,
                             const KeepContent& keep) {
    return SnapshotReader(next_piece, folder, limits, keep).read();
}

ArchiveContent read_snapshot(std::string_view tar, std::string_view folder, const ArchiveLimits& limits) {
    const NextPiece whole_once = [&tar] { return std::exchange(tar, {}); };
    return read_snapshot(whole_once, folder, limits);
}

struct TarWriter::Stream {
    explicit Stream(Sink to) : sink(std::move(to)) {
        archive_write_set_format_pax_restricted(handle.get());
        archive_write_set_bytes_per_block(handle.get(), buffer_bytes);
        archive_write_set_bytes_in_last_block(handle.get(), 1);
        check(archive_write_open(handle.get(), this, nullptr, &Stream::write, nullptr));
    }

    static la_ssize_t write(archive* handle, void* self, const void* bytes, std::size_t size) {
        auto& stream = *static_cast<Stream*>(self);
        try {
            stream.sink(std::string_view(static_cast<const char*>(bytes), size));
            return static_cast<la_ssize_t>(size);
        } catch (...) {
            stream.error = std::current_exception();
            archive_set_error(handle, EIO, "the sink failed");
            return ARCHIVE_FATAL;
        }
    }

    // A warning says that a name is not ASCII; its bytes are written as they are.
    void check(la_ssize_t result) {
        if (result >= ARCHIVE_WARN) {
            return;
        }
        if (error) {
            std::rethrow_exception(error);
        }
        throw InputError("cannot write the tar: " + error_text(handle.get()));
    }

    void write_header(const TarEntry& entry, std::uint64_t size) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> header{archive_entry_new(),
                                                                                   &archive_entry_free};
        archive_entry_copy_pathname(header.get(), entry.path.c_str());
        archive_entry_set_mode(header.get(), mode_bits(entry.type) | (entry.mode & 07777U));
        archive_entry_set_uid(header.get(), entry.uid);
        archive_entry_set_gid(header.get(), entry.gid);
        archive_entry_set_mtime(header.get(), entry.mtime, 0);
        archive_entry_set_size(header.get(), signed_size(size));
        if (entry.type == FileType::symlink) {
            archive_entry_copy_symlink(header.get(), entry.link_target.c_str());
        }
        check(archive_write_header(handle.get(), header.get()));
    }

    Sink sink;
    std::exception_ptr error;
    std::unique_ptr<archive, decltype(&archive_write_free)> handle{archive_write_new(), &archive_write_free};
};

TarWriter::TarWriter(Sink sink) : stream_(std::make_unique<Stream>(std::move(sink))) {}

// Freeing an open archive would still write its end into the sink.
TarWriter::~TarWriter() {
    archive_write_fail(stream_->handle.get());
}

void TarWriter::add(const TarEntry& entry) {
    const bool has_content = entry.type == FileType::regular;
    std::string_view left = has_content ? std::string_view(entry.content) : std::string_view();
    add(entry, left.size(), [&left] { return std::exchange(left, {}); });
}

void TarWriter::add(const TarEntry& entry, std::uint64_t size, const NextPiece& content) {
    check_entry(entry);
    const PlainLocale locale;
    stream_->write_header(entry, size);
    std::uint64_t written = 0;
    for (std::string_view piece = content(); !piece.empty(); piece = content()) {
        written += piece.size();
        if (written > size) {
            break;
        }
        stream_->check(archive_write_data(stream_->handle.get(), piece.data(), piece.size()));
    }
    if (written != size) {
        throw InputError("'" + entry.path + "' changed its size while it was read");
    }
}

void TarWriter::finish() {
    stream_->check(archive_write_close(stream_->handle.get()));
}

std::string write_tar(const std::vector<TarEntry>& entries) {
    std::string tar;
    TarWriter writer([&tar](std::string_view piece) { tar += piece; });
    for (const TarEntry& entry : entries) {
        writer.add(entry);
    }
    writer.finish();
    return tar;
}

}  // namespace pasb
