#include "run/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "model/errors.hpp"
#include "plan/plan.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view eval_schema = "pasb.eval/1";

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

// The kernel frees the lock with the process, however it ends.
void take_lock(const FileDescriptor& lock, const fs::path& file) {
    if (!lock.is_open()) {
        fail_errno(file, "cannot be opened");
    }
    if (flock(lock.number(), LOCK_EX | LOCK_NB) == 0) {
        return;
    }
    if (errno == EWOULDBLOCK) {
        fail(file.parent_path(), "another pasb is writing here; wait for it or name another folder");
    }
    fail_errno(file, "cannot be locked");
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

// The file is there whole or not at all, also after a power failure.
void write_whole(const fs::path& file, std::string_view text) {
    const fs::path partial = file.string() + ".partial";
    {
        const FileDescriptor descriptor(partial.string(), O_WRONLY | O_CREAT | O_TRUNC);
        if (!descriptor.is_open() || !write_all(descriptor.number(), text) || fsync(descriptor.number()) != 0) {
            fail_errno(partial, "cannot be written");
        }
    }
    std::error_code error;
    fs::rename(partial, file, error);
    if (error) {
        fail(file, "cannot be written: " + error.message());
    }
    sync_folder(file.parent_path());
}

// "/flush: paper -> settled; /seed: 0 -> 1"
std::string differences(const json& before, const json& now) {
    constexpr std::size_t shown = 8;
    const json changes = json::diff(before, now);
    std::string text;
    for (std::size_t index = 0; index < changes.size() && index < shown; ++index) {
        const json::json_pointer place(changes[index].at("path").get<std::string>());
        const auto value = [&place](const json& in) { return in.contains(place) ? in.at(place).dump() : "(nothing)"; };
        text += (index == 0 ? "" : "; ") + place.to_string() + ": " + value(before) + " -> " + value(now);
    }
    return changes.size() > shown ? text + "; and " + std::to_string(changes.size() - shown) + " more" : text;
}

void settle_configuration(const fs::path& folder, const json& configuration) {
    const fs::path file = folder / "eval.json";
    if (!fs::exists(file)) {
        if (fs::exists(folder / "records.jsonl")) {
            fail(folder, "holds records.jsonl without the eval.json that belongs to it; name another folder");
        }
        const json eval{
            {"schema", eval_schema}, {"digest", configuration_digest(configuration)}, {"configuration", configuration}};
        write_whole(file, eval.dump(2) + "\n");
        return;
    }
    const json eval = json::parse(read_file(file.string()), nullptr, false);
    if (!eval.is_object() || !eval.contains("configuration") || !eval.contains("schema") ||
        eval.at("schema") != eval_schema) {
        fail(file, "is no configuration of an eval; name another folder");
    }
    if (eval.at("configuration") != configuration) {
        fail(folder, "was begun with another configuration (" + differences(eval.at("configuration"), configuration) +
                         "); repeat that one or name another folder");
    }
}

// Calls `each` with every whole line and its number; returns the offset behind the last one.
std::uint64_t for_each_line(const fs::path& file, const std::function<void(std::string_view, int)>& each) {
    const FileDescriptor descriptor(file.string(), O_RDONLY);
    std::array<char, 65536> buffer;
    std::string line;
    std::uint64_t whole = 0;
    int number = 0;
    while (true) {
        const ssize_t got = descriptor.is_open() ? read(descriptor.number(), buffer.data(), buffer.size()) : -1;
        if (got < 0 && errno != EINTR) {
            fail_errno(file, "cannot be read");
        }
        if (got == 0) {
            return whole;
        }
        std::string_view piece(buffer.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
        for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
            line += piece.substr(0, end);
            piece.remove_prefix(end + 1);
            each(line, ++number);
            whole += line.size() + 1;
            line.clear();
        }
        line += piece;
    }
}

json parse_record(const fs::path& file, std::string_view line, int number) {
    json record = json::parse(line, nullptr, false);
    const auto has = [&record](const char* key, json::value_t type) {
        const auto found = record.find(key);
        return found != record.end() && found->type() == type;
    };
    if (!record.is_object() || !has("run_id", json::value_t::string) || !has("valid", json::value_t::boolean)) {
        throw InputError(file.string() + ":" + std::to_string(number) +
                         ": not a record; the file was changed by something else, mend or remove the line");
    }
    return record;
}

std::uint64_t read_whole_records(const fs::path& file, const std::function<void(const json&)>& each) {
    return for_each_line(file, [&](std::string_view line, int number) { each(parse_record(file, line, number)); });
}

// Moves what follows the first `whole` bytes into a file of its own. Nothing is ever deleted.
fs::path set_tail_aside(const fs::path& file, std::uint64_t whole) {
    const std::string tail = read_file(file.string()).substr(whole);
    fs::path aside;
    int number = 1;
    do {
        aside = file.parent_path() / ("records.torn-" + std::to_string(number++) + ".jsonl");
    } while (fs::exists(aside));
    write_whole(aside, tail);
    const FileDescriptor descriptor(file.string(), O_WRONLY);
    if (!descriptor.is_open() || ftruncate(descriptor.number(), static_cast<off_t>(whole)) != 0 ||
        fsync(descriptor.number()) != 0) {
        fail_errno(file, "cannot be cut to its last whole line");
    }
    return aside;
}

}  // namespace

Journal::Journal(const fs::path& folder, const json& configuration)
    : records_file_(created(folder) / "records.jsonl"), lock_((folder / "lock").string(), O_RDWR | O_CREAT) {
    take_lock(lock_, folder / "lock");
    settle_configuration(folder, configuration);
    records_ = std::make_unique<FileDescriptor>(records_file_.string(), O_WRONLY | O_APPEND | O_CREAT);
    if (!records_->is_open()) {
        fail_errno(records_file_, "cannot be opened");
    }
    sync_folder(folder);
    const std::uint64_t whole = read_whole_records(records_file_, [this](const json& record) { count(record); });
    if (whole != fs::file_size(records_file_)) {
        torn_file_ = set_tail_aside(records_file_, whole);
    }
}

Journal::~Journal() = default;

void Journal::append(const json& record) {
    const std::string line = record.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    const std::lock_guard lock(mutex_);
    const off_t before = lseek(records_->number(), 0, SEEK_END);
    if (!write_all(records_->number(), line) || fsync(records_->number()) != 0) {
        const int reason = errno;
        // Where even this fails, the torn line is set aside when the folder is opened next.
        [[maybe_unused]] const int result = ftruncate(records_->number(), before);
        errno = reason;
        fail_errno(records_file_, "cannot be written; make room and repeat the command");
    }
    count(record);
}

void Journal::count(const json& record) {
    const std::string run_id = record.at("run_id").get<std::string>();
    ++attempts_[run_id];
    if (record.at("valid").get<bool>()) {
        finished_valid_.insert(run_id);
    }
}

std::set<std::string> Journal::finished_valid() const {
    const std::lock_guard lock(mutex_);
    return finished_valid_;
}

int Journal::attempts(const std::string& run_id) const {
    const std::lock_guard lock(mutex_);
    const auto found = attempts_.find(run_id);
    return found == attempts_.end() ? 0 : found->second;
}

void read_records(const fs::path& records_file, const std::function<void(const json& record)>& each) {
    read_whole_records(records_file, each);
}

}  // namespace pasb
