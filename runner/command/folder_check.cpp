#include "command/folder_check.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "agent/adapter_file.hpp"
#include "analysis/record_check.hpp"
#include "evidence/answers.hpp"
#include "model/annotation.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"
#include "run/baseline_texts_file.hpp"
#include "run/exchange_file.hpp"
#include "run/line_file.hpp"
#include "run/plan_file.hpp"
#include "sandbox/baseline.hpp"
#include "wire/digest.hpp"
#include "wire/seal.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class FolderCheck {
  public:
    FolderCheck(CheckedFolder folder, const ProjectFiles& files, std::map<std::string, std::string>& digests,
                Findings& findings)
        : folder_(std::move(folder)), files_(files), digests_(digests), findings_(findings) {}

    void run() {
        read_configuration();
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
        if (unchecked_notes_ > 0) {
            findings_.counted("modified notes not held against the claim (no baseline-notes)", unchecked_notes_);
        }
    }

  private:
    void read_configuration() {
        check_small("eval.json");
        check_small("plan.json");
        for (PlannedRun& run : read_plan(folder_.path)) {
            const std::string id = run.run_id;
            plan_.emplace(id, std::move(run));
        }
        if (fs::exists(folder_.path / "eval.json")) {
            const json eval = json::parse(read_file((folder_.path / "eval.json").string()), nullptr, false);
            configuration_ = eval.is_object() ? eval.value("configuration", json::object()) : json::object();
        }
    }

    template <typename Check>
    std::size_t each_line(const std::string& file, const Check& check) {
        const fs::path path = folder_.path / file;
        if (!fs::exists(path)) {
            return 0;
        }
        std::size_t lines = 0;
        for_each_line(path, [&](const FileLine& line) {
            ++lines;
            const std::string where = path.string() + ":" + std::to_string(line.number);
            line_sha256_ = sha256_hex(line.text);
            check_digest(file + ":" + std::to_string(line.number), where, line_sha256_);
            const json value = json::parse(line.text, nullptr, false);
            try {
                check(value, where);
            } catch (const InputError& error) {
                findings_.add(where, error.what());
            } catch (const json::exception& error) {
                findings_.add(where, std::string("a field of the wrong type: ") + error.what());
            }
        });
        return lines;
    }

    void check_small(const std::string& file) {
        const fs::path path = folder_.path / file;
        if (fs::exists(path)) {
            check_digest(file, path.string(), sha256_hex(read_file(path.string())));
        }
    }

    void check_digest(const std::string& file, const std::string& where, const std::string& sha256) {
        const auto found = digests_.find((fs::path(folder_.name) / file).lexically_normal().string());
        if (found == digests_.end()) {
            findings_.add(where, "was not there when the report was made");
            return;
        }
        if (found->second != sha256) {
            findings_.add(where, "is not what the report was made from");
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
        check_plan(record, place);
        check_configuration(record, place);
        check_notes(record, place);
        check_exchanges(record, place);
        check_image(record, place);
    }

    void check_plan(const Record& record, const std::string& place) {
        if (plan_.empty()) {
            return;
        }
        const auto found = plan_.find(record.run_id);
        const PlannedRun held{record.run_id, record.task.task_id, record.framework, record.model, record.arm};
        if (found == plan_.end() || !(found->second == held)) {
            findings_.add(place, "is not the run of that id in plan.json");
        }
    }

    // The eval's own configuration names its models and images.
    void check_configuration(const Record& record, const std::string& place) {
        if (configuration_.empty()) {
            return;
        }
        const json models = configuration_.value("models", json::array());
        const bool known = std::any_of(models.begin(), models.end(), [&record](const json& model) {
            return model.value("name", "") == record.model && model.value("simulated", false) == record.simulated;
        });
        if (!known) {
            findings_.add(
                place, "model " + record.model + (record.simulated ? " (simulated)" : "") + " is not one of eval.json");
        }
        const json pin = configuration_.value("frameworks", json::object()).value(record.framework, json::object());
        if (pin.value("image_id", "") != record.image_id || pin.value("version", "") != record.framework_version) {
            findings_.add(place, "framework version or image are not those of eval.json");
        }
        if (configuration_.value("flush", "") != record.flush.policy || configuration_.value("arm", "") != record.arm) {
            findings_.add(place, "flush policy or arm are not those of eval.json");
        }
    }

    // What a note was before decides what of it is new: an added one was not in the image, a modified one was.
    void check_notes(const Record& record, const std::string& place) {
        const Manifest& manifest = baseline_of(record.framework).manifest;
        for (const NoteRecord& note : record.notes) {
            const bool was_there = manifest.contains(note.path);
            if ((note.change == ChangeType::added && was_there) ||
                ((note.change == ChangeType::modified || note.change == ChangeType::deleted) && !was_there)) {
                findings_.add(place, "note " + note.path + " is " + std::string(to_string(note.change)) +
                                         ", which the baseline's manifest contradicts");
            }
            if (note.change == ChangeType::modified && !texts_of(record.framework).contains(note.path)) {
                ++unchecked_notes_;
            }
        }
    }

    void check_exchanges(const Record& record, const std::string& place) {
        const std::string file = record.exchanges.value("file", "");
        if (!file.starts_with("exchanges/") || file.find("..") != std::string::npos) {
            findings_.add(place, "names no exchange file");
            return;
        }
        if (!exchange_files_.insert(file).second) {
            findings_.add(place, file + " belongs to another record, too");
        }
        try {
            const ExchangeFile loaded = load_exchanges(folder_.path / file);
            if (loaded.sha256 != record.exchanges.value("sha256", "") ||
                loaded.exchanges.size() != record.exchanges.value("count", std::size_t{0})) {
                findings_.add(place, file + " is not what the record says: digest or count differ");
            }
            check_answers(record, loaded.exchanges, place);
        } catch (const InputError& error) {
            findings_.add(place, error.what());
        }
    }

    void check_answers(const Record& record, const std::vector<Exchange>& exchanges, const std::string& place) {
        if (!record.valid) {
            return;
        }
        for (const auto& [turns, chat] :
             {std::pair(&record.first_chat, Chat::first), std::pair(&record.follow_up, Chat::follow_up)}) {
            if (const TurnRecord* const turn = first_unmodelled(*turns, chat, exchanges)) {
                findings_.add(place, std::string(chat == Chat::first ? "first chat" : "follow-up") + ", turn " +
                                         std::to_string(turn->turn) +
                                         ": no completion in the exchanges gave this answer");
            }
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
            const std::string file = "baseline-notes/" + framework + ".json";
            check_small(file);
            found->second = read_baseline_texts(folder_.path, framework);
            const Manifest& manifest = baseline_of(framework).manifest;
            for (const auto& [path, text] : found->second) {
                const auto entry = manifest.find(path);
                if (entry == manifest.end() || entry->second.sha256 != sha256_hex(text)) {
                    findings_.add((folder_.path / file).string(), path + " is not the baseline's");
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

    CheckedFolder folder_;
    const ProjectFiles& files_;
    std::map<std::string, std::string>& digests_;
    Findings& findings_;
    json configuration_ = json::object();
    std::map<std::string, PlannedRun> plan_;
    std::string line_sha256_;
    std::set<std::string> run_ids_;
    std::set<std::string> record_digests_;
    std::set<std::string> exchange_files_;
    std::map<std::string, Baseline> baselines_;
    std::map<std::string, BaselineTexts> texts_;
    std::size_t unchecked_notes_ = 0;
};

}  // namespace

void Findings::counted(const std::string& what, std::size_t count) {
    checked_ += (checked_.empty() ? "" : ", ") + std::to_string(count) + " " + what;
}

void Findings::print() const {
    constexpr std::size_t most = 100;
    std::printf("checked: %s\n", checked_.c_str());
    for (std::size_t i = 0; i < std::min(most, lines_.size()); ++i) {
        std::printf("DOES NOT HOLD  %s\n", terminal_text(lines_[i]).c_str());
    }
    if (lines_.size() > most) {
        std::printf("and %zu more\n", lines_.size() - most);
    }
}

void check_folder(const CheckedFolder& folder, const ProjectFiles& files, std::map<std::string, std::string>& digests,
                  Findings& findings) {
    FolderCheck(folder, files, digests, findings).run();
}

}  // namespace pasb
