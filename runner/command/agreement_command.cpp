#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/agreement_tables.hpp"
#include "command/commands.hpp"
#include "command/study_files.hpp"
#include "judge/gold_exchange.hpp"
#include "judge/sealed_file.hpp"
#include "judge/valid_runs.hpp"
#include "model/errors.hpp"
#include "net/file.hpp"
#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "run/line_file.hpp"
#include "run/project_files.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* agreement_schema = "pasb.agreement/1";

fs::path output_folder(const AgreementOptions& options) {
    if (!options.to_dir.empty()) {
        return options.to_dir;
    }
    if (options.folders.size() > 1) {
        throw InputError("several folders: name with --to where the agreement over all of them is to stand");
    }
    return fs::path(options.folders.front()) / "agreement";
}

// Adds a folder's results; its simulated models' names go into `simulations`.
void read_folder(const fs::path& folder, RatingCollection& ratings, std::set<std::string>& simulations) {
    const ValidRuns valid(folder / "records.jsonl");
    for (const ValidRun& run : valid.runs()) {
        ratings.add_run(run.run_id, run.record_sha256, run.family, run.base_item_id);
        if (run.model.starts_with("sim:")) {
            simulations.insert("model " + run.model);
        }
    }
    read_sealed(folder / "judgements.jsonl",
                [&ratings](const json& line) { ratings.add(judgement_from_json(line), RaterKind::judge); });
    read_sealed(folder / gold_file,
                [&ratings](const json& line) { ratings.add(judgement_from_json(line), RaterKind::person); });
    read_sealed(folder / "annotations.jsonl",
                [&ratings](const json& line) { ratings.add(annotation_from_json(line)); });
}

std::vector<std::string> warnings_of(const RatingCollection& ratings) {
    std::vector<std::string> warnings;
    if (ratings.stale() > 0) {
        warnings.push_back(std::to_string(ratings.stale()) +
                           " results belong to another state of their record and are not used.");
    }
    if (ratings.stray() > 0) {
        warnings.push_back(std::to_string(ratings.stray()) + " results belong to no valid run and are not used.");
    }
    return warnings;
}

// A person's, judge's or annotator's repeats as one line: "sim:lexical (simulated judge): 4 runs".
std::vector<std::string> rater_lines(const RatingCollection& ratings) {
    std::vector<std::string> lines;
    for (const auto& [rater, runs] : ratings.raters()) {
        lines.push_back(label_of(ratings, rater) + ": " + std::to_string(runs.size()) +
                        (runs.size() == 1 ? " run" : " runs"));
    }
    return lines;
}

void require_something(const std::vector<Table>& tables, const RatingCollection& ratings) {
    for (const Table& table : tables) {
        if (!table.rows.empty()) {
            return;
        }
    }
    std::string there;
    for (const std::string& line : rater_lines(ratings)) {
        there += (there.empty() ? "" : "; ") + line;
    }
    throw InputError("nothing to compare: no two asked for have results of the same record (there are: " +
                     (there.empty() ? "none" : there) +
                     "); `pasb judge` with another judge, --repeats 2 or --import makes some");
}

// What is printed and written, once.
struct AgreementReport {
    std::vector<std::string> raters;
    std::vector<std::string> simulations;
    std::vector<std::string> warnings;
    std::vector<Table> tables;
};

std::string head_of(const AgreementReport& report) {
    std::string text = "# Agreement\n\n";
    if (!report.simulations.empty()) {
        text +=
            "> **Simulated.** Some of these numbers come from deterministic programs and say nothing about any "
            "language model: ";
        for (const std::string& simulation : report.simulations) {
            text += (&simulation == &report.simulations.front() ? "" : ", ") + markdown_text(simulation);
        }
        text += ".\n\n";
    }
    for (const std::string& warning : report.warnings) {
        text += "> **Warning.** " + markdown_text(warning) + "\n\n";
    }
    for (const std::string& rater : report.raters) {
        text += "- " + markdown_text(rater) + "\n";
    }
    return text + "\n";
}

json json_of(const AgreementReport& report, const AgreementOptions& options, const fs::path& folder) {
    json tables = json::array();
    for (const Table& table : report.tables) {
        tables.push_back(to_json(table));
    }
    json folders = json::array();
    for (const std::string& input : options.folders) {
        folders.push_back(relative_folder(input, folder).string());
    }
    return {{"schema", agreement_schema},
            {"folders", folders},
            {"reference", options.reference},
            {"rated", options.rated},
            {"seed", options.seed},
            {"raters", report.raters},
            {"simulations", report.simulations},
            {"warnings", report.warnings},
            {"tables", tables}};
}

void write_files(const AgreementReport& report, const AgreementOptions& options, const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw InputError(folder.string() + ": cannot be created: " + error.message());
    }
    write_whole(folder / "agreement.json",
                json_of(report, options, folder).dump(1, ' ', false, json::error_handler_t::replace) + "\n");
    for (const Table& table : report.tables) {
        write_whole(folder / (table.id + ".csv"), table_csv(table));
    }
}

}  // namespace

int agreement_command(const AgreementOptions& options) {
    const fs::path folder = output_folder(options);
    const std::string figures = ProjectFiles({}).root() + "/configs/published.yaml";
    const Published published = parse_published(read_file(figures), figures);
    RatingCollection ratings;
    std::set<std::string> simulations;
    for (const std::string& input : options.folders) {
        read_folder(input, ratings, simulations);
    }
    for (const auto& [rater, runs] : ratings.raters()) {
        if (ratings.simulated(rater)) {
            simulations.insert((rater.kind == RaterKind::annotator ? "annotator " : "judge ") + rater.name);
        }
    }
    Resampling resampling;
    resampling.seed = options.seed;
    const AgreementReport report{rater_lines(ratings),
                                 {simulations.begin(), simulations.end()},
                                 warnings_of(ratings),
                                 agreement_tables(ratings, published, {options.reference, options.rated}, resampling)};
    require_something(report.tables, ratings);
    write_files(report, options, folder);
    std::printf("%s", head_of(report).c_str());
    for (const Table& table : report.tables) {
        std::printf("%s", table.rows.empty() ? "" : table_markdown(table).c_str());
    }
    std::printf("agreement: %s\n", (folder / "agreement.json").c_str());
    return exit_code::ok;
}

}  // namespace pasb
