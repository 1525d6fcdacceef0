#include <cstdio>
#include <filesystem>

#include "command/commands.hpp"
#include "command/report_files.hpp"
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
    create_folder(folder / "tables");
    for (const auto& [name, bytes] : small_files(document, files)) {
        write_whole(folder / name, bytes);
    }
    WholeFile page(folder / page_file);
    write_page(document, files, [&page](std::string_view piece) { page.add(piece); });
    page.finish();
    if (options.print) {
        std::printf("%s\n", document_markdown(document).c_str());
    }
    std::printf("report: %s\n", (folder / page_file).c_str());
    for (const std::string& simulation : document.simulations) {
        std::printf("simulated: %s; these numbers say nothing about any language model\n", simulation.c_str());
    }
    return exit_code::ok;
}

}  // namespace pasb
