#include <cstdio>
#include <filesystem>
#include <memory>

#include "command/commands.hpp"
#include "command/study_files.hpp"
#include "exports/exporter.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "run/line_file.hpp"
#include "run/project_files.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

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
        paths_.push_back(path);
        files_.push_back(std::make_unique<WholeFile>(path));
        return [file = files_.back().get()](std::string_view bytes) { file->add(bytes); };
    }

    void keep() {
        for (const auto& file : files_) {
            file->finish();
        }
    }

    void print() const {
        for (const fs::path& path : paths_) {
            std::printf("%s\n", terminal_text(path.string()).c_str());
        }
    }

  private:
    fs::path folder_;
    std::vector<fs::path> paths_;
    std::vector<std::unique_ptr<WholeFile>> files_;
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
    StudyOptions study;
    study.folders = {options.folder};
    study.judge = options.judge;
    study.annotator = options.annotator;
    study.published_file = ProjectFiles({}).published_file();
    study.report_folder = options.to_dir;
    const StudyFiles runs(study);
    std::size_t count = 0;
    std::size_t valid = 0;
    std::size_t judged = 0;
    for (const std::vector<RunFacts>* const facts : {&runs.study().runs, &runs.other_arms()}) {
        for (const RunFacts& one : *facts) {
            const JudgedRun run = runs.texts(one);
            exporter->add(run);
            ++count;
            valid += run.record.valid ? 1U : 0U;
            judged += run.judgement.has_value() ? 1U : 0U;
        }
    }
    if (count == 0) {
        throw InputError(options.folder + ": holds no runs");
    }
    exporter->finish();
    files.keep();
    std::printf("%zu runs, %zu valid, %zu judged (judge: %s)\n", count, valid, judged,
                runs.raters().judge.empty() ? "none" : terminal_text(runs.raters().judge).c_str());
    for (const std::string& warning : runs.warnings()) {
        std::printf("warning: %s\n", terminal_text(warning).c_str());
    }
    files.print();
    if (!exporter->passed()) {
        std::fprintf(stderr, "pasb: a threshold is exceeded or cannot be checked; see the file\n");
        return exit_code::check_failed;
    }
    return exit_code::ok;
}

}  // namespace pasb
