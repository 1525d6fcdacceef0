#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "command/commands.hpp"
#include "command/folder_check.hpp"
#include "command/report_files.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "report/json.hpp"
#include "run/line_file.hpp"
#include "run/project_files.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The digests that were taken of every line when the report was made.
std::map<std::string, std::string> read_digests(const fs::path& file) {
    std::map<std::string, std::string> digests;
    for_each_line(file, [&](const FileLine& line) {
        const std::size_t gap = line.text.find("  ");
        if (gap != std::string_view::npos) {
            digests.emplace(line.text.substr(gap + 2), line.text.substr(0, gap));
        }
    });
    return digests;
}

std::string cell_place(const Table& table, std::size_t row, std::size_t column) {
    std::string place = "table " + table.id + ", row " + std::to_string(row + 1);
    if (const auto* name = std::get_if<std::string>(&table.rows.at(row).at(0))) {
        place += " (" + *name + ")";
    }
    return place + ", column " + table.columns.at(column).key;
}

// The first part of a report that differs, in words; a row and a column where it is a number in a table.
std::string place_of(const json& made, const Document& document, const json& stored) {
    std::string path;
    for (const json& difference : json::diff(made, stored)) {
        const std::string one = difference.at("path");
        if (path.empty() || (one.starts_with("/tables/") && !path.starts_with("/tables/"))) {
            path = one;
        }
    }
    std::size_t table = 0;
    std::size_t row = 0;
    std::size_t column = 0;
    if (std::sscanf(path.c_str(), "/tables/%zu/rows/%zu/%zu", &table, &row, &column) == 3 &&
        table < document.tables.size() && row < document.tables[table].rows.size() &&
        column < document.tables[table].columns.size()) {
        return cell_place(document.tables[table], row, column);
    }
    return path.empty() ? "its form" : path;
}

void compare_files(const fs::path& folder, const Document& document, const StudyFiles& files, const json& stored,
                   Findings& findings) {
    const std::map<std::string, std::string> made = small_files(document, files);
    for (const auto& [name, bytes] : made) {
        const fs::path path = folder / name;
        if (!fs::exists(path)) {
            findings.add(path.string(), "is missing");
        } else if (read_file(path.string()) != bytes) {
            findings.add(path.string(), name == document_file ? "differs from what the files give at " +
                                                                    place_of(to_json(document), document, stored)
                                                              : std::string("differs from what the files give"));
        }
    }
    Sha256 page;
    write_page(document, files, [&page](std::string_view piece) { page.add(piece); });
    const fs::path path = folder / page_file;
    if (!fs::exists(path)) {
        findings.add(path.string(), "is missing");
    } else if (sha256_hex(read_file(path.string())) != page.hex()) {
        findings.add(path.string(), "differs from what the files give");
    }
    std::size_t numbers = 0;
    for (const Table& table : document.tables) {
        numbers += table.rows.size() * table.columns.size();
    }
    findings.counted("table cells", numbers);
}

// A table that the report does not have would be taken for a part of it.
void find_strangers(const fs::path& folder, const Document& document, Findings& findings) {
    std::set<std::string> known;
    for (const Table& table : document.tables) {
        known.insert(table.id + ".csv");
    }
    if (!fs::exists(folder / "tables")) {
        return;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "tables")) {
        if (!known.contains(entry.path().filename().string())) {
            findings.add(entry.path().string(), "is no table of this report");
        }
    }
}

fs::path report_in(const fs::path& folder) {
    for (const fs::path& candidate : {folder / "report", folder}) {
        if (fs::exists(candidate / document_file)) {
            return candidate;
        }
    }
    throw InputError(folder.string() + ": no report in it; `pasb report " + folder.string() + "` makes one");
}

void derive_again(const fs::path& folder, const json& stored, const Document& before,
                  const std::vector<std::string>& folders, const ProjectFiles& files, Findings& findings) {
    try {
        const StudyFiles study({folders, before.judge, before.annotator, before.settings.seed,
                                before.settings.replicates, files.published_file(), folder.string()});
        compare_files(folder, document_of(study, before.settings), study, stored, findings);
    } catch (const InputError& error) {
        findings.add(error.what(), "so the report's numbers cannot be derived again");
    }
}

}  // namespace

int verify_command(const std::string& named, const CommonOptions& common) {
    const fs::path folder = report_in(named);
    const ProjectFiles files(common.also);
    const fs::path document_path = folder / document_file;
    const json stored = json::parse(read_file(document_path.string()), nullptr, false);
    Document before;
    try {
        before = document_from_json(stored);
    } catch (const InputError& error) {
        throw InputError(document_path.string() + ": " + error.what());
    }
    Findings findings;
    std::map<std::string, std::string> digests;
    if (fs::exists(folder / digests_file)) {
        digests = read_digests(folder / digests_file);
    }
    std::vector<std::string> folders;
    for (const std::string& relative : before.settings.folders) {
        folders.push_back((folder / relative).lexically_normal().string());
        check_folder({folders.back(), relative}, files, digests, findings);
    }
    for (const auto& [name, digest] : digests) {
        findings.add(name, "was there when the report was made and is gone");
    }
    find_strangers(folder, before, findings);
    derive_again(folder, stored, before, folders, files, findings);
    findings.print();
    if (!findings.none()) {
        return exit_code::check_failed;
    }
    std::printf("verified: %s holds\n", folder.c_str());
    return exit_code::ok;
}

}  // namespace pasb
