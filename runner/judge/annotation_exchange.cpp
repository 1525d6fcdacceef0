#include "judge/annotation_exchange.hpp"

#include <map>
#include <utility>
#include <vector>

#include "judge/sealed_file.hpp"
#include "judge/valid_runs.hpp"
#include "model/errors.hpp"
#include "net/file.hpp"
#include "rubric/annotation_sheet.hpp"
#include "run/utc.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::map<std::string, SheetRun> runs_by_id(const ValidRuns& valid) {
    std::map<std::string, SheetRun> runs;
    for (const ValidRun& run : valid.runs()) {
        runs[run.run_id] = {run.task_id, run.model, run.framework, run.record_sha256};
    }
    return runs;
}

bool same_labels(const Annotation& left, const Annotation& right) {
    return left.unlabelled == right.unlabelled && left.stance == right.stance &&
           left.role_upgrade == right.role_upgrade && left.attribution_removed == right.attribution_removed &&
           left.notes == right.notes;
}

}  // namespace

std::size_t export_sheet(const fs::path& out, const std::string& file, std::size_t sample, std::uint64_t seed) {
    const SheetFormat format = sheet_format_of(file);
    if (fs::exists(file)) {
        throw InputError(file + ": exists and may hold labels; name another file");
    }
    const ValidRuns valid(out / "records.jsonl");
    const std::vector<ValidRun> runs = sampled(valid.runs(), sample, seed);
    std::string text = sheet_head(format);
    for (const ValidRun& run : runs) {
        text += sheet_row(valid.read(run), format);
    }
    write_whole(fs::absolute(file), text);
    return runs.size();
}

ImportResult import_sheet(const fs::path& out, const std::string& file, const std::string& annotator) {
    const ValidRuns valid(out / "records.jsonl");
    FilledSheet sheet = read_sheet(read_file(file), sheet_format_of(file), file, runs_by_id(valid));
    const FolderLock lock(out);
    std::map<std::string, Annotation> before;  // by run id and digest
    SealedFile annotations(out / "annotations.jsonl", [&](const json& line) {
        Annotation annotation = annotation_from_json(line);
        if (annotation.annotator == annotator) {
            before[annotation.run_id + "/" + annotation.record_sha256] = std::move(annotation);
        }
    });
    ImportResult result{0, sheet.blank, 0, annotations.torn_file()};
    std::vector<json> lines;
    for (Annotation& annotation : sheet.annotations) {
        const auto found = before.find(annotation.run_id + "/" + annotation.record_sha256);
        if (found != before.end() && !same_labels(found->second, annotation)) {
            throw InputError(file + ": '" + annotator + "' has labelled run " + annotation.run_id +
                             " otherwise before; name the new labels' annotator differently");
        }
        if (found != before.end()) {
            ++result.before;
            continue;
        }
        annotation.annotator = annotator;
        annotation.annotated = utc_now();
        lines.push_back(to_json(annotation));
    }
    for (const json& line : lines) {
        annotations.append(line);
        ++result.added;
    }
    return result;
}

}  // namespace pasb
