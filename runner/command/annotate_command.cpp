#include <cstdio>

#include "command/assess_report.hpp"
#include "command/commands.hpp"
#include "command/stop_signal.hpp"
#include "judge/annotation_exchange.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "run/project_files.hpp"

namespace pasb {
namespace {

int annotate(const AnnotateOptions& options) {
    const ProjectFiles files({});
    const StopSignal stop;
    const auto annotator = make_annotator(options.annotator, files.root(), process_environment,
                                          std::make_shared<Allowance>(options.max_requests));
    const std::string name = who("annotator", options.annotator, annotator->simulated());
    if (options.check) {
        std::printf("%s: can be asked\n", name.c_str());
        return exit_code::ok;
    }
    const AssessResult result =
        annotate_runs(*annotator, options.annotator, options.work, stop.token(), progress_sink("annotated by " + name));
    std::printf("%s: %zu annotations wanted (valid runs times repeats)\n%s", name.c_str(), result.wanted,
                summary_of(result, "annotated", "unlabelled").c_str());
    std::printf("annotations: %s\n", (options.work.out / "annotations.jsonl").c_str());
    return conclude(result, "unlabelled", options.limit_unlabelled);
}

int write_sheet(const AnnotateOptions& options) {
    const std::size_t rows = export_sheet(options.work.out, options.export_file, options.sample, options.seed);
    std::printf(
        "%zu runs written to %s; take the labels over with `pasb annotate --out %s --import %s --annotator NAME`\n",
        rows, options.export_file.c_str(), options.work.out.c_str(), options.export_file.c_str());
    return exit_code::ok;
}

int take_sheet(const AnnotateOptions& options) {
    if (options.annotator.starts_with("sim:")) {
        throw InputError("--annotator " + options.annotator +
                         ": names that begin with sim: belong to the simulated ones");
    }
    const ImportResult result = import_sheet(options.work.out, options.import_file, options.annotator);
    std::printf("annotator %s: %zu runs taken over, %zu were there already, %zu rows without labels passed over\n",
                terminal_text(options.annotator).c_str(), result.added, result.before, result.blank);
    if (!result.torn_file.empty()) {
        std::printf("a torn last line was put aside into %s\n", result.torn_file.c_str());
    }
    return exit_code::ok;
}

}  // namespace

int annotate_command(const AnnotateOptions& options) {
    if (!options.export_file.empty()) {
        return write_sheet(options);
    }
    if (options.annotator.empty()) {
        throw InputError("--annotator is missing: who labels, or who filled the imported sheet in");
    }
    return options.import_file.empty() ? annotate(options) : take_sheet(options);
}

}  // namespace pasb
