#include <cstdio>

#include "command/assess_report.hpp"
#include "command/commands.hpp"
#include "command/stop_signal.hpp"
#include "run/project_files.hpp"

namespace pasb {

int judge_command(const JudgeOptions& options) {
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

}  // namespace pasb
