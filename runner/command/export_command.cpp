#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>

#include "command/commands.hpp"
#include "command/judged_runs.hpp"
#include "exports/exporter.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "net/file.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

// A file that gets its name when all is written, so that nobody takes a cut one for whole.
class PartFile {
  public:
    explicit PartFile(fs::path path)
        : path_(std::move(path)), part_(path_.string() + ".part"), file_(part_.string(), O_WRONLY | O_CREAT | O_TRUNC) {
        if (!file_.is_open()) {
            fail();
        }
    }
    ~PartFile() {
        std::error_code ignored;
        fs::remove(part_, ignored);
    }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    void write(std::string_view bytes) {
        buffer_ += bytes;
        if (buffer_.size() >= buffer_bytes) {
            flush();
        }
    }

    void keep() {
        flush();
        fs::rename(part_, path_);
    }

    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    static constexpr std::size_t buffer_bytes = 1U << 16U;

    [[noreturn]] void fail() const {
        throw InputError(part_.string() + ": cannot be written: " + std::strerror(errno));
    }

    void flush() {
        for (std::string_view left = buffer_; !left.empty();) {
            const ssize_t done = ::write(file_.number(), left.data(), left.size());
            if (done < 0 && errno != EINTR) {
                fail();
            }
            left.remove_prefix(done < 0 ? 0 : static_cast<std::size_t>(done));
        }
        buffer_.clear();
    }

    fs::path path_;
    fs::path part_;
    FileDescriptor file_;
    std::string buffer_;
};

class FolderFiles : public OutputFiles {
  public:
    explicit FolderFiles(fs::path folder) : folder_(std::move(folder)) {}

    Sink open(const std::string& name) override {
        const fs::path path = folder_ / name;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (error) {
            throw InputError(path.parent_path().string() + ": cannot be created: " + error.message());
        }
        files_.push_back(std::make_unique<PartFile>(path));
        return [file = files_.back().get()](std::string_view bytes) { file->write(bytes); };
    }

    void keep() {
        for (const auto& file : files_) {
            file->keep();
        }
    }

    void print() const {
        for (const auto& file : files_) {
            std::printf("%s\n", terminal_text(file->path().string()).c_str());
        }
    }

  private:
    fs::path folder_;
    std::vector<std::unique_ptr<PartFile>> files_;
};

std::unique_ptr<Exporter> make_exporter(const ExportOptions& options, OutputFiles& files) {
    if (options.to != "junit" && !options.fail_over.empty()) {
        throw InputError("--fail-over goes with --to junit");
    }
    if (options.to == "csv") {
        return csv_exporter(files);
    }
    if (options.to == "hf") {
        return hf_exporter(files);
    }
    if (options.to == "inspect") {
        return inspect_exporter(files);
    }
    if (options.to == "junit") {
        std::vector<Threshold> thresholds;
        for (const std::string& text : options.fail_over) {
            thresholds.push_back(threshold_from(text));
        }
        return junit_exporter(files, std::move(thresholds));
    }
    throw InputError("unknown format '" + options.to + "': use one of csv, inspect, junit, hf");
}

}  // namespace

int export_command(const ExportOptions& options) {
    FolderFiles files(options.to_dir);
    const std::unique_ptr<Exporter> exporter = make_exporter(options, files);
    const JudgedRuns runs(options.folder, options.judge, options.annotator);
    std::size_t count = 0;
    std::size_t valid = 0;
    std::size_t judged = 0;
    runs.each([&](const JudgedRun& run) {
        exporter->add(run);
        ++count;
        valid += run.record.valid ? 1U : 0U;
        judged += run.judgement.has_value() ? 1U : 0U;
    });
    if (count == 0) {
        throw InputError(options.folder + ": holds no runs");
    }
    exporter->finish();
    files.keep();
    std::printf("%zu runs, %zu valid, %zu judged (judge: %s)\n", count, valid, judged,
                runs.judge().empty() ? "none" : terminal_text(runs.judge()).c_str());
    files.print();
    if (!exporter->passed()) {
        std::fprintf(stderr, "pasb: a threshold is exceeded or cannot be checked; see the file\n");
        return exit_code::check_failed;
    }
    return exit_code::ok;
}

}  // namespace pasb
