#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "command/commands.hpp"
#include "command/report_files.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "report/markdown.hpp"
#include "run/line_file.hpp"
#include "run/project_files.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

fs::path report_folder(const ReportOptions& options) {
    if (!options.out.empty()) {
        return options.out;
    }
    if (options.folders.size() > 1) {
        throw InputError("several folders: name with --out where the report of all of them is to stand");
    }
    return fs::path(options.folders.front()) / "report";
}

void create_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw InputError(folder.string() + ": cannot be created: " + error.message());
    }
}

// A table that this report does not have would be taken for a part of it.
void remove_old_tables(const fs::path& folder, const std::map<std::string, std::string>& files) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "tables")) {
        const std::string name = "tables/" + entry.path().filename().string();
        if (entry.path().extension() == ".csv" && !files.contains(name)) {
            fs::remove(entry.path());
        }
    }
}

Settings settings_of(const ReportOptions& options, const fs::path& folder) {
    Settings settings;
    for (const std::string& input : options.folders) {
        settings.folders.push_back(relative_folder(input, folder).string());
    }
    settings.out = options.folders.front();
    settings.seed = options.seed;
    settings.readers = options.readers;
    return settings;
}

}  // namespace

int report_command(const ReportOptions& options) {
    const fs::path folder = report_folder(options);
    const Settings settings = settings_of(options, folder);
    const StudyFiles files({options.folders, options.judge, options.annotator, settings.seed, settings.replicates,
                            ProjectFiles({}).published_file(), folder.string()});
    const Document document = document_of(files, settings);
    if (files.study().runs.empty()) {
        throw InputError("no runs in " + options.folders.front() + ": there is nothing to report");
    }
    create_folder(folder / "tables");
    const std::map<std::string, std::string> small = small_files(document, files);
    remove_old_tables(folder, small);
    for (const auto& [name, bytes] : small) {
        write_whole(folder / name, bytes);
    }
    WholeFile page(folder / page_file);
    write_page(document, files, [&page](std::string_view piece) { page.add(piece); });
    page.finish();
    if (options.print) {
        std::printf("%s\n", document_markdown(document).c_str());
    }
    for (const std::string& warning : document.warnings) {
        std::printf("warning: %s\n", terminal_text(warning).c_str());
    }
    std::printf("report: %s\n", (folder / page_file).c_str());
    for (const std::string& simulation : document.simulations) {
        std::printf("simulated: %s; these numbers say nothing about any language model\n", simulation.c_str());
    }
    return exit_code::ok;
}

}  // namespace pasb
