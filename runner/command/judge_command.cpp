#include <cstdio>

#include "command/assess_report.hpp"
#include "command/commands.hpp"
#include "command/stop_signal.hpp"
#include "judge/gold_exchange.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "run/project_files.hpp"

namespace pasb {
namespace {

int judge(const JudgeOptions& options) {
    const ProjectFiles files({});
    const StopSignal stop;
    const auto judge =
        make_judge(options.judge, files.root(), process_environment, std::make_shared<Allowance>(options.max_requests));
    const std::string name = who("judge", options.judge, judge->simulated());
    if (options.check) {
        std::printf("%s: can be asked\n", name.c_str());
        return exit_code::ok;
    }
    const AssessResult result =
        judge_runs(*judge, options.judge, options.work, stop.token(), progress_sink("judged by " + name));
    std::printf("%s: %zu judgements wanted (valid runs times repeats)\n%s", name.c_str(), result.wanted,
                summary_of(result, "judged", "unscored").c_str());
    std::printf("judgements: %s\n", (options.work.out / "judgements.jsonl").c_str());
    return conclude(result, "unscored", options.limit_unscored);
}

int write_sheet(const JudgeOptions& options) {
    const std::size_t runs = export_gold_sheet(options.work.out, options.export_file, options.sample, options.seed);
    std::printf("%zu runs written to %s; take the scores over with `pasb judge --out %s --import %s --judge NAME`\n",
                runs, options.export_file.c_str(), options.work.out.c_str(), options.export_file.c_str());
    return exit_code::ok;
}

int take_sheet(const JudgeOptions& options) {
    if (options.judge.starts_with("sim:")) {
        throw InputError("--judge " + options.judge + ": names that begin with sim: belong to the simulated ones");
    }
    const GoldImport result = import_gold_sheet(options.work.out, options.import_file, options.judge);
    std::printf("%s: %zu rows with scores, %zu without passed over; %zu runs taken over, %zu were there already\n",
                terminal_text(options.judge).c_str(), result.rows, result.blank, result.added, result.before);
    if (!result.torn_file.empty()) {
        std::printf("a torn last line was put aside into %s\n", result.torn_file.c_str());
    }
    std::printf("scores by people: %s\n", (options.work.out / gold_file).c_str());
    return exit_code::ok;
}

}  // namespace

int judge_command(const JudgeOptions& options) {
    if (!options.export_file.empty()) {
        return write_sheet(options);
    }
    if (options.judge.empty()) {
        throw InputError("--judge is missing: who scores, or who filled the imported sheet in");
    }
    return options.import_file.empty() ? judge(options) : take_sheet(options);
}

}  // namespace pasb
