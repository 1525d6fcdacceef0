#include "run/journal.hpp"

#include "model/errors.hpp"
#include "plan/plan.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view eval_schema = "pasb.eval/1";

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
    throw InputError(path.string() + ": " + what);
}

// "/flush: paper -> settled; /seed: 0 -> 1"
std::string differences(const json& before, const json& now) {
    constexpr std::size_t shown = 8;
    const json changes = json::diff(before, now);
    std::string text;
    for (std::size_t index = 0; index < changes.size() && index < shown; ++index) {
        const json::json_pointer place(changes[index].at("path").get<std::string>());
        const auto value = [&place](const json& in) { return in.contains(place) ? in.at(place).dump() : "(nothing)"; };
        text += (index == 0 ? "" : "; ") + place.to_string() + ": " + value(before) + " -> " + value(now);
    }
    return changes.size() > shown ? text + "; and " + std::to_string(changes.size() - shown) + " more" : text;
}

void settle_configuration(const fs::path& folder, const json& configuration) {
    const fs::path file = folder / "eval.json";
    if (!fs::exists(file)) {
        if (fs::exists(folder / "records.jsonl")) {
            fail(folder, "holds records.jsonl without the eval.json that belongs to it; name another folder");
        }
        const json eval{
            {"schema", eval_schema}, {"digest", configuration_digest(configuration)}, {"configuration", configuration}};
        write_whole(file, eval.dump(2) + "\n");
        return;
    }
    const json eval = json::parse(read_file(file.string()), nullptr, false);
    if (!eval.is_object() || !eval.contains("configuration") || !eval.contains("schema") ||
        eval.at("schema") != eval_schema) {
        fail(file, "is no configuration of an eval; name another folder");
    }
    if (eval.at("configuration") != configuration) {
        fail(folder, "was begun with another configuration (" + differences(eval.at("configuration"), configuration) +
                         "); repeat that one or name another folder");
    }
}

json parse_record(const fs::path& file, std::string_view line, int number) {
    json record = json::parse(line, nullptr, false);
    const auto has = [&record](const char* key, json::value_t type) {
        const auto found = record.find(key);
        return found != record.end() && found->type() == type;
    };
    if (!record.is_object() || !has("run_id", json::value_t::string) || !has("valid", json::value_t::boolean)) {
        throw InputError(file.string() + ":" + std::to_string(number) +
                         ": not a record; the file was changed by something else, mend or remove the line");
    }
    return record;
}

std::uint64_t read_whole_records(const fs::path& file, const std::function<void(const json&)>& each) {
    return for_each_line(file, [&](const FileLine& line) { each(parse_record(file, line.text, line.number)); });
}

}  // namespace

Journal::Journal(const fs::path& folder, const json& configuration)
    : records_file_(folder / "records.jsonl"), lock_(folder) {
    settle_configuration(folder, configuration);
    records_ = std::make_unique<LineWriter>(records_file_);
    const std::uint64_t whole = read_whole_records(records_file_, [this](const json& record) { count(record); });
    if (whole != fs::file_size(records_file_)) {
        torn_file_ = set_tail_aside(records_file_, whole);
    }
}

void Journal::append(const json& record) {
    const std::string line = record.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::lock_guard lock(mutex_);
    records_->append(line);
    count(record);
}

void Journal::count(const json& record) {
    const std::string run_id = record.at("run_id").get<std::string>();
    ++attempts_[run_id];
    if (record.at("valid").get<bool>()) {
        finished_valid_.insert(run_id);
    }
}

std::set<std::string> Journal::finished_valid() const {
    const std::lock_guard lock(mutex_);
    return finished_valid_;
}

int Journal::attempts(const std::string& run_id) const {
    const std::lock_guard lock(mutex_);
    const auto found = attempts_.find(run_id);
    return found == attempts_.end() ? 0 : found->second;
}

void read_records(const fs::path& records_file, const std::function<void(const json& record)>& each) {
    read_whole_records(records_file, each);
}

}  // namespace pasb
