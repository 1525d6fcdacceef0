#include <cstdio>

#include "command/commands.hpp"
#include "command/progress.hpp"
#include "command/stop_signal.hpp"
#include "run/journal.hpp"
#include "run/summary.hpp"

namespace pasb {

int eval_command(const EvalOptions& options, const CommonOptions& common) {
    const ProjectFiles files(common.also);
    const StopSignal stop;
    EvalResult result;
    {
        Progress progress(options.out / "pasb.log");
        result = run_eval(options, files, progress, stop.token());
    }
    Summary summary;
    read_records(options.out / "records.jsonl", [&summary](const nlohmann::json& record) { summary.add(record); });
    std::printf("\n%s\nrecords: %s\n", summary.table().c_str(), (options.out / "records.jsonl").c_str());
    if (result.cancelled) {
        std::printf("interrupted: finished runs are kept, the same command goes on from here\n");
        return exit_code::interrupted;
    }
    return result.invalid > 0 ? exit_code::invalid_runs : exit_code::ok;
}

}  // namespace pasb
