#include "run/line_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "model/errors.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
    throw InputError(path.string() + ": " + what);
}

[[noreturn]] void fail_errno(const fs::path& path, const std::string& what) {
    fail(path, what + ": " + std::strerror(errno));
}

fs::path created(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        fail(folder, "cannot be created: " + error.message());
    }
    return folder;
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

void sync_folder(const fs::path& folder) {
    const FileDescriptor descriptor(folder.string(), O_RDONLY | O_DIRECTORY);
    if (!descriptor.is_open() || fsync(descriptor.number()) != 0) {
        fail_errno(folder, "cannot be brought to disk");
    }
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : file_((created(folder) / "lock").string(), O_RDWR | O_CREAT) {
    if (!file_.is_open()) {
        fail_errno(folder / "lock", "cannot be opened");
    }
    if (flock(file_.number(), LOCK_EX | LOCK_NB) == 0) {
        return;
    }
    if (errno == EWOULDBLOCK) {
        fail(folder, "another pasb is writing here; wait for it or name another folder");
    }
    fail_errno(folder / "lock", "cannot be locked");
}

WholeFile::WholeFile(fs::path file)
    : path_(std::move(file)),
      partial_(path_.string() + ".partial"),
      file_(partial_.string(), O_WRONLY | O_CREAT | O_TRUNC) {
    if (!file_.is_open()) {
        fail_errno(partial_, "cannot be written");
    }
}

WholeFile::~WholeFile() {
    std::error_code ignored;
    fs::remove(partial_, ignored);
}

void WholeFile::add(std::string_view piece) {
    constexpr std::size_t enough = 1U << 16U;
    waiting_ += piece;
    if (waiting_.size() >= enough) {
        flush();
    }
}

void WholeFile::flush() {
    if (!write_all(file_.number(), waiting_)) {
        fail_errno(partial_, "cannot be written");
    }
    waiting_.clear();
}

void WholeFile::finish() {
    flush();
    if (fsync(file_.number()) != 0) {
        fail_errno(partial_, "cannot be written");
    }
    std::error_code error;
    fs::rename(partial_, path_, error);
    if (error) {
        fail(path_, "cannot be written: " + error.message());
    }
    sync_folder(path_.parent_path());
}

void write_whole(const fs::path& file, std::string_view text) {
    WholeFile whole(file);
    whole.add(text);
    whole.finish();
}

std::uint64_t for_each_line(const fs::path& file, const std::function<void(const FileLine&)>& each) {
    const FileDescriptor descriptor(file.string(), O_RDONLY);
    std::array<char, 65536> buffer;
    std::string line;
    FileLine whole;
    while (true) {
        const ssize_t got = descriptor.is_open() ? read(descriptor.number(), buffer.data(), buffer.size()) : -1;
        if (got < 0 && errno != EINTR) {
            fail_errno(file, "cannot be read");
        }
        if (got == 0) {
            return whole.offset;
        }
        std::string_view piece(buffer.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
        for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
            line += piece.substr(0, end);
            piece.remove_prefix(end + 1);
            whole.text = line;
            ++whole.number;
            each(whole);
            whole.offset += line.size() + 1;
            line.clear();
        }
        line += piece;
    }
}

std::string bytes_at(const fs::path& file, std::uint64_t offset, std::size_t size) {
    const FileDescriptor descriptor(file.string(), O_RDONLY);
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (descriptor.is_open() && got < size) {
        const ssize_t piece =
            ::pread(descriptor.number(), bytes.data() + got, size - got, static_cast<off_t>(offset + got));
        if (piece <= 0) {
            break;
        }
        got += static_cast<std::size_t>(piece);
    }
    bytes.resize(got);
    return bytes;
}

fs::path set_tail_aside(const fs::path& file, std::uint64_t whole) {
    const std::string tail = read_file(file.string()).substr(whole);
    fs::path aside;
    int number = 1;
    do {
        aside = file.parent_path() / (file.stem().string() + ".torn-" + std::to_string(number++) + ".jsonl");
    } while (fs::exists(aside));
    write_whole(aside, tail);
    const FileDescriptor descriptor(file.string(), O_WRONLY);
    if (!descriptor.is_open() || ftruncate(descriptor.number(), static_cast<off_t>(whole)) != 0 ||
        fsync(descriptor.number()) != 0) {
        fail_errno(file, "cannot be cut to its last whole line");
    }
    return aside;
}

LineWriter::LineWriter(fs::path file) : path_(std::move(file)), file_(path_.string(), O_WRONLY | O_APPEND | O_CREAT) {
    if (!file_.is_open()) {
        fail_errno(path_, "cannot be opened");
    }
    sync_folder(path_.parent_path());
}

void LineWriter::append(std::string_view line) {
    const off_t before = lseek(file_.number(), 0, SEEK_END);
    if (!write_all(file_.number(), std::string(line) + "\n") || fsync(file_.number()) != 0) {
        const int reason = errno;
        // Where even this fails, the torn line is set aside when the file is opened next.
        [[maybe_unused]] const int result = ftruncate(file_.number(), before);
        errno = reason;
        fail_errno(path_, "cannot be written; make room and repeat the command");
    }
}

}  // namespace pasb
