#include "command/study_files.hpp"

#include <algorithm>
#include <functional>
#include <type_traits>

#include "model/errors.hpp"
#include "run/baseline_texts_file.hpp"
#include "run/line_file.hpp"
#include "run/plan_file.hpp"
#include "wire/digest.hpp"
#include "wire/seal.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* main_arm = "main";

std::string rater_of(const Judgement& judgement) {
    return judgement.judge;
}
std::string rater_of(const Annotation& annotation) {
    return annotation.annotator;
}

Judgement said_from(const json& value, const Judgement* /*kind*/) {
    return judgement_from_json(value);
}
Annotation said_from(const json& value, const Annotation* /*kind*/) {
    return annotation_from_json(value);
}

json parse_line(std::string_view text) {
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded()) {
        throw InputError("not JSON; the file was changed by something else, mend or remove the line");
    }
    return value;
}

std::string line_at(const fs::path& file, const LinePlace& place) {
    std::string line = bytes_at(file, place.offset, place.bytes);
    if (line.size() != place.bytes) {
        throw InputError(file.string() + ": changed while it was read; repeat the command");
    }
    return line;
}

// Which rater's lines are used, among those that a file names.
std::string chosen_rater(const std::map<std::string, bool>& simulated, const std::string& asked,
                         const std::string& what, const std::string& option) {
    if (simulated.empty() && asked.empty()) {
        return {};
    }
    std::string names;
    std::vector<std::string> real;
    for (const auto& [name, is_simulated] : simulated) {
        names += (names.empty() ? "" : ", ") + name;
        if (!is_simulated) {
            real.push_back(name);
        }
    }
    if (!asked.empty()) {
        if (!simulated.contains(asked)) {
            throw InputError("no " + what + " '" + asked + "' in these folders" +
                             (names.empty() ? "" : "; there are " + names));
        }
        return asked;
    }
    if (simulated.size() == 1) {
        return simulated.begin()->first;
    }
    if (real.size() == 1) {
        return real.front();
    }
    throw InputError("several " + what + "s (" + names + "): name one with " + option);
}

// Names of the raters in a file and whether they are simulated, without keeping anything else.
template <typename Said>
void collect_raters(const fs::path& file, std::map<std::string, bool>& raters) {
    constexpr const char* key = std::is_same_v<Said, Judgement> ? "judge" : "annotator";
    if (!fs::exists(file)) {
        return;
    }
    for_each_line(file, [&](const FileLine& line) {
        const json value = json::parse(line.text, nullptr, false);
        if (value.is_object() && value.contains(key) && value.at(key).is_string()) {
            const auto name = value.at(key).get<std::string>();
            const bool says_so = value.contains("simulated") && value.at("simulated") == json(true);
            raters[name] = raters[name] || says_so || name.starts_with("sim:");
        }
    });
}

void add_effort(Effort& effort, const json& usage) {
    ++effort.results;
    effort.requests += usage.value("requests", 0.0);
    effort.prompt_tokens += usage.value("prompt_tokens", 0.0);
    effort.completion_tokens += usage.value("completion_tokens", 0.0);
    effort.seconds += usage.value("seconds", 0.0);
}

}  // namespace

fs::path relative_folder(const fs::path& folder, const fs::path& from) {
    return fs::absolute(folder).lexically_normal().lexically_relative(fs::absolute(from).lexically_normal());
}

StudyFiles::StudyFiles(const StudyOptions& options) : options_(options) {
    study_.seed = options.seed;
    study_.replicates = options.replicates;
    study_.published = parse_published(read_file(options.published_file), options.published_file);
    std::map<std::string, bool> judges;
    std::map<std::string, bool> annotators;
    for (const std::string& folder : options_.folders) {
        if (!fs::exists(fs::path(folder) / "records.jsonl")) {
            throw InputError(folder + ": no records.jsonl in it; name the OUT folder of an eval");
        }
        collect_raters<Judgement>(fs::path(folder) / "judgements.jsonl", judges);
        collect_raters<Annotation>(fs::path(folder) / "annotations.jsonl", annotators);
    }
    raters_.judge = chosen_rater(judges, options.judge, "judge", "--judge");
    raters_.judge_simulated = !raters_.judge.empty() && judges.at(raters_.judge);
    raters_.annotator = chosen_rater(annotators, options.annotator, "annotator", "--annotator");
    raters_.annotator_simulated = !raters_.annotator.empty() && annotators.at(raters_.annotator);
    RunCollection collection;
    for (std::size_t folder = 0; folder < options_.folders.size(); ++folder) {
        read_small(folder, "eval.json");
        read_planned(folder);
        read_records(folder, collection);
        read_judgements(folder, collection);
        read_annotations(folder, collection);
    }
    for (RunFacts& run : collection.take()) {
        (run.arm == main_arm ? study_.runs : other_arms_).push_back(std::move(run));
    }
    compare_with_plan();
    warn(collection);
}

void StudyFiles::compare_with_plan() {
    if (!unplanned_folders_.empty()) {
        study_.planned.clear();
        warnings_.push_back("No plan.json in " + unplanned_folders_ + ": how many runs were planned is not known.");
        return;
    }
    for (const std::string& run : planned_) {
        study_.never_started += started_.contains(run) ? 0U : 1U;
    }
    std::size_t unplanned = 0;
    for (const std::string& run : started_) {
        unplanned += planned_.contains(run) ? 0U : 1U;
    }
    if (unplanned > 0) {
        warnings_.push_back(std::to_string(unplanned) + " runs stand in no plan.json.");
    }
}

void StudyFiles::warn(const RunCollection& collection) {
    if (collection.stale() > 0) {
        warnings_.push_back(std::to_string(collection.stale()) +
                            " judgements or annotations belong to another state of their record and are not used.");
    }
    if (collection.stray() > 0) {
        warnings_.push_back(std::to_string(collection.stray()) + " judgements or annotations belong to no record.");
    }
    if (collection.superseded() > 0) {
        warnings_.push_back(std::to_string(collection.superseded()) +
                            " judgements or annotations were replaced by later ones of the same record.");
    }
    if (judged_how_.size() > 1) {
        warnings_.push_back("The judge was asked in " + std::to_string(judged_how_.size()) +
                            " ways (prompts, model, temperature); its scores may not be comparable.");
    }
    if (!other_arms_.empty()) {
        warnings_.push_back(std::to_string(other_arms_.size()) + " runs of other arms than " + main_arm +
                            " are not in this report.");
    }
}

std::string StudyFiles::name_in_report(std::size_t folder, const std::string& file) const {
    return (relative_folder(options_.folders.at(folder), options_.report_folder) / file).lexically_normal().string();
}

void StudyFiles::read_planned(std::size_t folder) {
    read_small(folder, "plan.json");
    const std::vector<PlannedRun> runs = read_plan(options_.folders.at(folder));
    if (runs.empty()) {
        unplanned_folders_ += (unplanned_folders_.empty() ? "" : ", ") + name_in_report(folder, "");
    }
    for (const PlannedRun& run : runs) {
        if (run.arm == main_arm) {
            ++study_.planned[{run.model, run.framework}];
            planned_.insert(run.run_id);
        }
    }
}

template <typename Each>
void StudyFiles::read_lines(std::size_t folder, const std::string& file, const Each& each) {
    const fs::path path = fs::path(options_.folders.at(folder)) / file;
    Input input{name_in_report(folder, file), 0, 0, {}};
    Sha256 digest;
    const std::uint64_t whole = for_each_line(path, [&](const FileLine& line) {
        digest.add(line.text);
        digest.add("\n");
        const std::string sha256 = sha256_hex(line.text);
        digests_ += sha256 + "  " + input.path + ":" + std::to_string(line.number) + "\n";
        ++input.lines;
        const std::string place = path.string() + ":" + std::to_string(line.number) + ": ";
        try {
            each(line, sha256);
        } catch (const InputError& error) {
            throw InputError(place + error.what());
        } catch (const json::exception& error) {
            throw InputError(place + "a field of the wrong type: " + error.what());
        }
    });
    input.bytes = whole;
    input.sha256 = digest.hex();
    inputs_.push_back(input);
    if (whole != fs::file_size(path)) {
        warnings_.push_back(input.path + " ends in a torn line, which is passed over.");
    }
}

template <typename Said>
void StudyFiles::read_said(std::size_t folder, const std::string& file, const std::string& wanted, Places& places,
                           const std::function<bool(const Said&)>& take) {
    if (!fs::exists(fs::path(options_.folders.at(folder)) / file)) {
        return;
    }
    read_lines(folder, file, [&](const FileLine& line, const std::string&) {
        const json value = parse_line(line.text);
        if (!seal_holds(value)) {
            throw InputError("its `sha256` does not hold: the line was changed after it was written");
        }
        const Said said = said_from(value, static_cast<const Said*>(nullptr));
        if (rater_of(said) == wanted && take(said)) {
            places[said.run_id] = {folder, line.offset, line.text.size()};
        }
    });
}

void StudyFiles::read_records(std::size_t folder, RunCollection& collection) {
    read_lines(folder, "records.jsonl", [&](const FileLine& line, const std::string& sha256) {
        const Record record = record_from_json(parse_line(line.text));
        if (!baselines_.contains({folder, record.framework})) {
            baselines_[{folder, record.framework}] = read_baseline_texts(options_.folders.at(folder), record.framework);
            read_small(folder, "baseline-notes/" + record.framework + ".json");
        }
        if (record.arm == main_arm) {
            started_.insert(record.run_id);
        }
        collection.add(record, {folder, line.offset, line.text.size(), line.number, sha256});
    });
}

Effort& StudyFiles::effort_of(const std::string& who) {
    for (Effort& effort : study_.efforts) {
        if (effort.who == who) {
            return effort;
        }
    }
    return study_.efforts.emplace_back(Effort{who});
}

void StudyFiles::read_judgements(std::size_t folder, RunCollection& collection) {
    const std::string who = "judge " + raters_.judge + (raters_.judge_simulated ? " (simulated)" : "");
    read_said<Judgement>(folder, "judgements.jsonl", raters_.judge, judgements_, [&](const Judgement& judgement) {
        add_effort(effort_of(who), judgement.usage);
        if (judgement.repeat != 1 || !collection.add(judgement)) {
            return false;
        }
        judged_how_.insert(judgement.prompts.dump() + judgement.asked.dump());
        return true;
    });
}

void StudyFiles::read_annotations(std::size_t folder, RunCollection& collection) {
    const std::string who = "annotator " + raters_.annotator + (raters_.annotator_simulated ? " (simulated)" : "");
    read_said<Annotation>(folder, "annotations.jsonl", raters_.annotator, annotations_,
                          [&](const Annotation& annotation) {
                              add_effort(effort_of(who), annotation.usage);
                              return annotation.repeat == 1 && collection.add(annotation);
                          });
}

void StudyFiles::read_small(std::size_t folder, const std::string& file) {
    const fs::path path = fs::path(options_.folders.at(folder)) / file;
    if (!fs::exists(path)) {
        return;
    }
    const std::string bytes = read_file(path.string());
    const auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    inputs_.push_back({name_in_report(folder, file), bytes.size(), lines, sha256_hex(bytes)});
    digests_ += inputs_.back().sha256 + "  " + inputs_.back().path + "\n";
}

const BaselineTexts& StudyFiles::baseline_texts(const RunFacts& run) const {
    return baselines_.at({run.place.folder, run.framework});
}

JudgedRun StudyFiles::texts(const RunFacts& run) const {
    const auto again = [this](const std::string& file, const LinePlace& place) {
        return json::parse(line_at(fs::path(options_.folders.at(place.folder)) / file, place));
    };
    JudgedRun texts;
    texts.record = record_from_json(again("records.jsonl", {run.place.folder, run.place.offset, run.place.bytes}));
    if (const auto found = judgements_.find(run.run_id); found != judgements_.end()) {
        texts.judgement = judgement_from_json(again("judgements.jsonl", found->second));
    }
    if (const auto found = annotations_.find(run.run_id); found != annotations_.end()) {
        texts.annotation = annotation_from_json(again("annotations.jsonl", found->second));
    }
    return texts;
}

}  // namespace pasb
