#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "agent/adapter_file.hpp"
#include "analysis/record_check.hpp"
#include "command/commands.hpp"
#include "command/report_files.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "report/json.hpp"
#include "run/baseline_texts_file.hpp"
#include "run/exchange_file.hpp"
#include "run/line_file.hpp"
#include "run/project_files.hpp"
#include "sandbox/baseline.hpp"
#include "wire/digest.hpp"
#include "wire/seal.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What does not hold, each with its place, and how much was looked at.
class Findings {
  public:
    void add(const std::string& where, const std::string& what) { lines_.push_back(where + ": " + what); }
    void counted(const std::string& what, std::size_t count) {
        checked_ += (checked_.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    }
    [[nodiscard]] bool none() const { return lines_.empty(); }

    void print() const {
        constexpr std::size_t most = 100;
        std::printf("checked: %s\n", checked_.c_str());
        for (std::size_t i = 0; i < std::min(most, lines_.size()); ++i) {
            std::printf("DOES NOT HOLD  %s\n", terminal_text(lines_[i]).c_str());
        }
        if (lines_.size() > most) {
            std::printf("and %zu more\n", lines_.size() - most);
        }
    }

  private:
    std::vector<std::string> lines_;
    std::string checked_;
};

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

// Checks the files of one eval line by line.
class FolderCheck {
  public:
    FolderCheck(fs::path folder, std::string name, const ProjectFiles& files,
                std::map<std::string, std::string>& digests, Findings& findings)
        : folder_(std::move(folder)), name_(std::move(name)), files_(files), digests_(digests), findings_(findings) {}

    void run() {
        findings_.counted("records", each_line("records.jsonl", [this](const json& value, const std::string& where) {
                              check_record(record_from_json(value), where);
                          }));
        findings_.counted("judgements",
                          each_line("judgements.jsonl", [this](const json& value, const std::string& where) {
                              check_seal(value, where);
                              const Judgement judgement = judgement_from_json(value);
                              check_belongs(judgement.run_id, judgement.record_sha256, where);
                          }));
        findings_.counted("annotations",
                          each_line("annotations.jsonl", [this](const json& value, const std::string& where) {
                              check_seal(value, where);
                              const Annotation annotation = annotation_from_json(value);
                              check_belongs(annotation.run_id, annotation.record_sha256, where);
                          }));
    }

  private:
    template <typename Check>
    std::size_t each_line(const std::string& file, const Check& check) {
        const fs::path path = folder_ / file;
        if (!fs::exists(path)) {
            return 0;
        }
        std::size_t lines = 0;
        for_each_line(path, [&](const FileLine& line) {
            ++lines;
            const std::string where = path.string() + ":" + std::to_string(line.number);
            line_sha256_ = sha256_hex(line.text);
            check_digest((fs::path(name_) / file).lexically_normal().string() + ":" + std::to_string(line.number),
                         where);
            const json value = json::parse(line.text, nullptr, false);
            try {
                check(value, where);
            } catch (const InputError& error) {
                findings_.add(where, error.what());
            }
        });
        return lines;
    }

    void check_digest(const std::string& name, const std::string& where) {
        const auto found = digests_.find(name);
        if (found == digests_.end()) {
            findings_.add(where, "was not there when the report was made");
            return;
        }
        if (found->second != line_sha256_) {
            findings_.add(where, "is not the line that the report was made from");
        }
        digests_.erase(found);
    }

    void check_seal(const json& value, const std::string& where) {
        if (!seal_holds(value)) {
            findings_.add(where, "its `sha256` does not hold: the line was changed after it was written");
        }
    }

    void check_belongs(const std::string& run_id, const std::string& record_sha256, const std::string& where) {
        if (!run_ids_.contains(run_id)) {
            findings_.add(where, "run " + run_id + " has no record");
        } else if (!record_sha256.empty() && !record_digests_.contains(record_sha256)) {
            findings_.add(where, "no record of run " + run_id + " has the digest that this was made from");
        }
    }

    void check_record(const Record& record, const std::string& where) {
        run_ids_.insert(record.run_id);
        record_digests_.insert(line_sha256_);
        const std::string place = where + ": run " + record.run_id;
        for (const std::string& problem : record_problems(record, texts_of(record.framework))) {
            findings_.add(place, problem);
        }
        check_exchanges(record, place);
        check_image(record, place);
    }

    void check_exchanges(const Record& record, const std::string& place) {
        const std::string file = record.exchanges.value("file", "");
        if (!file.starts_with("exchanges/") || file.find("..") != std::string::npos) {
            findings_.add(place, "names no exchange file");
            return;
        }
        try {
            const ExchangeSum sum = exchange_sum(folder_ / file);
            if (sum.sha256 != record.exchanges.value("sha256", "") ||
                sum.count != record.exchanges.value("count", std::size_t{0})) {
                findings_.add(place, file + " is not what the record says: digest or count differ");
            }
        } catch (const InputError& error) {
            findings_.add(place, error.what());
        }
    }

    // The image must be the frozen one; a warning of the record covers a base layer that a moved mirror has changed.
    void check_image(const Record& record, const std::string& place) {
        const Baseline& baseline = baseline_of(record.framework);
        if (record.baseline != baseline.sha256) {
            findings_.add(place, "was made with another baseline of " + record.framework);
        }
        const bool moved_mirror =
            std::any_of(record.warnings.begin(), record.warnings.end(),
                        [](const std::string& warning) { return warning.starts_with("base-packages-differ"); });
        if (record.image_id != baseline.image_id && !moved_mirror) {
            findings_.add(place, "image " + record.image_id + " is not the baseline's " + baseline.image_id);
        }
    }

    // The eval's copy of the baseline's notes, once it has been held against the baseline's hashes.
    const BaselineTexts& texts_of(const std::string& framework) {
        const auto [found, fresh] = texts_.try_emplace(framework);
        if (fresh) {
            found->second = read_baseline_texts(folder_, framework);
            const Manifest& manifest = baseline_of(framework).manifest;
            for (const auto& [path, text] : found->second) {
                const auto entry = manifest.find(path);
                if (entry == manifest.end() || entry->second.sha256 != sha256_hex(text)) {
                    findings_.add((folder_ / "baseline-notes" / (framework + ".json")).string(),
                                  path + " is not the baseline's");
                }
            }
        }
        return found->second;
    }

    const Baseline& baseline_of(const std::string& framework) {
        const auto found = baselines_.find(framework);
        if (found != baselines_.end()) {
            return found->second;
        }
        const Adapter adapter = load_adapter(files_.adapter_folder(framework));
        return baselines_.emplace(framework, read_baseline(files_.baseline_file(adapter.image))).first->second;
    }

    fs::path folder_;
    std::string name_;  // as the report names it
    const ProjectFiles& files_;
    std::map<std::string, std::string>& digests_;
    Findings& findings_;
    std::string line_sha256_;
    std::set<std::string> run_ids_;
    std::set<std::string> record_digests_;
    std::map<std::string, Baseline> baselines_;
    std::map<std::string, BaselineTexts> texts_;
};

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
        FolderCheck(folders.back(), relative, files, digests, findings).run();
    }
    for (const auto& [name, digest] : digests) {
        findings.add(name, "was there when the report was made and is gone");
    }
    derive_again(folder, stored, before, folders, files, findings);
    findings.print();
    if (!findings.none()) {
        return exit_code::check_failed;
    }
    std::printf("verified: %s holds\n", folder.c_str());
    return exit_code::ok;
}

}  // namespace pasb
