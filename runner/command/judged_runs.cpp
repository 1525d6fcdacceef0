#include "command/judged_runs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <set>

#include "model/errors.hpp"
#include "net/file.hpp"
#include "run/line_file.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Gives what `read` throws the line that it is about.
template <typename Read>
auto at_line(const fs::path& file, int number, const Read& read) {
    try {
        return read();
    } catch (const InputError& error) {
        throw InputError(file.string() + ":" + std::to_string(number) + ": " + error.what());
    } catch (const json::exception& error) {
        throw InputError(file.string() + ":" + std::to_string(number) + ": " + error.what());
    }
}

std::string key_of(const std::string& run_id, const std::string& rest) {
    return run_id + '\n' + rest;
}

// The only name there is, or the wanted one.
std::string choose(const fs::path& file, const std::string& option, const std::string& wanted,
                   const std::set<std::string>& names) {
    std::string listed;
    for (const std::string& name : names) {
        listed += (listed.empty() ? "" : ", ") + name;
    }
    if (!wanted.empty() && !names.contains(wanted)) {
        throw InputError(file.string() + ": holds nothing of '" + wanted + "'" +
                         (names.empty() ? "" : "; there are " + listed));
    }
    if (wanted.empty() && names.size() > 1) {
        throw InputError(file.string() + ": holds several; name one with " + option + ": " + listed);
    }
    return !wanted.empty() || names.empty() ? wanted : *names.begin();
}

std::string read_at(const fs::path& file, std::uint64_t offset, std::uint64_t size) {
    const FileDescriptor descriptor(file.string(), O_RDONLY);
    std::string text(size, '\0');
    std::size_t done = 0;
    while (descriptor.is_open() && done < text.size()) {
        const ssize_t got =
            ::pread(descriptor.number(), text.data() + done, text.size() - done, static_cast<off_t>(offset + done));
        if (got <= 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    if (done != text.size()) {
        throw InputError(file.string() + ": cannot be read, or was changed meanwhile: " + std::strerror(errno));
    }
    return text;
}

}  // namespace

JudgedRuns::JudgedRuns(const fs::path& folder, const std::string& judge, const std::string& annotator)
    : records_(folder / "records.jsonl"),
      judgements_(folder / "judgements.jsonl"),
      annotations_(folder / "annotations.jsonl") {
    choose_attempts();
    index_judgements(judge);
    index_annotations(annotator);
}

void JudgedRuns::choose_attempts() {
    for_each_line(records_, [this](const FileLine& line) {
        at_line(records_, line.number, [&] {
            const json value = json::parse(line.text);
            const bool valid = value.at("valid");
            Chosen& chosen = attempts_[value.at("run_id").get<std::string>()];
            if (valid || !chosen.valid) {
                chosen = {line.number, valid};
            }
        });
    });
}

void JudgedRuns::index_judgements(const std::string& wanted) {
    std::set<std::string> names;
    std::map<std::string, Places> places;  // by judge
    if (fs::exists(judgements_)) {
        for_each_line(judgements_, [&](const FileLine& line) {
            const Judgement judgement =
                at_line(judgements_, line.number, [&] { return judgement_from_json(json::parse(line.text)); });
            if (judgement.repeat == 1) {
                names.insert(judgement.judge);
                places[judgement.judge][key_of(judgement.run_id, std::to_string(judgement.attempt))] = {
                    line.offset, line.text.size()};
            }
        });
    }
    judge_ = choose(judgements_, "--judge", wanted, names);
    judgement_places_ = std::move(places[judge_]);
}

void JudgedRuns::index_annotations(const std::string& wanted) {
    std::set<std::string> names;
    std::map<std::string, Places> places;  // by annotator
    if (fs::exists(annotations_)) {
        for_each_line(annotations_, [&](const FileLine& line) {
            const Annotation annotation =
                at_line(annotations_, line.number, [&] { return annotation_from_json(json::parse(line.text)); });
            if (annotation.repeat == 1) {
                names.insert(annotation.annotator);
                places[annotation.annotator][key_of(annotation.run_id, annotation.record_sha256)] = {line.offset,
                                                                                                     line.text.size()};
            }
        });
    }
    annotator_ = choose(annotations_, "--annotator", wanted, names);
    annotation_places_ = std::move(places[annotator_]);
}

void JudgedRuns::each(const std::function<void(const JudgedRun&)>& take) const {
    const auto read = [](const fs::path& file, const Places& places, const std::string& key) {
        const auto found = places.find(key);
        return found == places.end() ? std::optional<json>()
                                     : json::parse(read_at(file, found->second.offset, found->second.size));
    };
    for_each_line(records_, [&](const FileLine& line) {
        JudgedRun run;
        run.record = at_line(records_, line.number, [&] { return record_from_json(json::parse(line.text)); });
        const auto chosen = attempts_.find(run.record.run_id);
        if (chosen == attempts_.end() || chosen->second.line != line.number) {
            return;
        }
        const std::string digest = sha256_hex(line.text);
        if (const auto found =
                read(judgements_, judgement_places_, key_of(run.record.run_id, std::to_string(run.record.attempt)))) {
            run.judgement = judgement_from_json(*found);
            if (run.judgement->record_sha256 != digest) {
                throw InputError(judgements_.string() + ": the judgement of " + run.record.run_id + " is of another " +
                                 "text of its record (record_sha256); judge it again");
            }
        }
        // People may annotate from a source that has no digest.
        for (const std::string& of : {digest, std::string()}) {
            if (const auto found = read(annotations_, annotation_places_, key_of(run.record.run_id, of));
                found && !run.annotation) {
                run.annotation = annotation_from_json(*found);
            }
        }
        take(run);
    });
}

}  // namespace pasb
