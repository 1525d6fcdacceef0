#include <cstdio>

#include "command/assess_report.hpp"
#include "command/commands.hpp"
#include "command/stop_signal.hpp"
#include "run/project_files.hpp"

namespace pasb {
namespace {

int annotate(const AnnotateOptions& options) {
    const ProjectFiles files({});
    const StopSignal stop;
    const auto annotator = make_annotator(options.annotator, files.root(), process_environment,
                                          std::make_shared<Allowance>(options.max_requests));
    const std::string name = who("annotator", options.annotator, annotator->simulated());
    const AssessResult result =
        annotate_runs(*annotator, options.annotator, options.work, stop.token(), progress_sink("annotated by " + name));
    std::printf("%s: %zu annotations wanted (valid runs times repeats)\n%s", name.c_str(), result.wanted,
                summary_of(result, "annotated", "unlabelled").c_str());
    std::printf("annotations: %s\n", (options.work.out / "annotations.jsonl").c_str());
    return conclude(result, "unlabelled", options.limit_unlabelled);
}

}  // namespace

int annotate_command(const AnnotateOptions& options) {
    return annotate(options);
}

}  // namespace pasb
