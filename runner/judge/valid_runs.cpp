#include "judge/valid_runs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/errors.hpp"
#include "run/line_file.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void fail(const fs::path& file, int line, const std::string& what) {
    throw InputError(file.string() + ":" + std::to_string(line) + ": " + what);
}

Record parse_record(const fs::path& file, int line, std::string_view text) {
    try {
        return record_from_json(json::parse(text));
    } catch (const json::exception&) {
        fail(file, line, "not JSON; mend or remove the line");
    } catch (const InputError& error) {
        fail(file, line, error.what());
    }
}

}  // namespace

ValidRuns::ValidRuns(fs::path records_file) : file_(std::move(records_file)) {
    if (!fs::exists(file_)) {
        throw InputError(file_.string() + ": there is none; `pasb eval --out " + file_.parent_path().string() +
                         "` makes it");
    }
    std::set<std::string> all;
    std::set<std::string> valid;
    for_each_line(file_, [&](const FileLine& line) {
        const Record record = parse_record(file_, line.number, line.text);
        all.insert(record.run_id);
        if (!record.valid) {
            return;
        }
        if (record.follow_up.size() != follow_up_turns || record.first_chat.size() != first_chat_turns) {
            fail(file_, line.number,
                 "a valid record whose chats are not five turns and three; mend or remove the line");
        }
        ValidRun run{record.run_id, record.task.task_id, record.task.base_item_id, record.task.family,
                     record.model,  record.framework,    record.attempt,           sha256_hex(line.text),
                     line.number,   line.offset,         line.text.size()};
        // As the report does (analysis/run_facts), whose scores must be of the attempt that it shows.
        if (valid.insert(record.run_id).second) {
            runs_.push_back(std::move(run));
        }
    });
    invalid_ = all.size() - runs_.size();
}

Record ValidRuns::read(const ValidRun& run) const {
    const std::string text = bytes_at(file_, run.offset, run.size);
    if (sha256_hex(text) != run.record_sha256) {
        fail(file_, run.line, "was changed while it was being read; repeat the command");
    }
    return parse_record(file_, run.line, text);
}

std::vector<ValidRun> sampled(std::vector<ValidRun> runs, std::size_t sample, std::uint64_t seed) {
    if (sample == 0) {
        return runs;
    }
    struct Lot {
        std::size_t place = 0;  // within the combination
        std::string number;
        ValidRun run;
    };
    std::vector<Lot> lots;
    lots.reserve(runs.size());
    for (ValidRun& run : runs) {
        lots.push_back({0, sha256_hex(std::to_string(seed) + "/" + run.run_id), std::move(run)});
    }
    const auto by_number = [](const Lot& left, const Lot& right) { return left.number < right.number; };
    std::sort(lots.begin(), lots.end(), by_number);
    std::map<std::pair<std::string, std::string>, std::size_t> drawn;  // by combination
    for (Lot& lot : lots) {
        lot.place = drawn[{lot.run.model, lot.run.framework}]++;
    }
    std::stable_sort(lots.begin(), lots.end(),
                     [](const Lot& left, const Lot& right) { return left.place < right.place; });
    lots.erase(lots.begin() + static_cast<std::ptrdiff_t>(std::min(sample, lots.size())), lots.end());
    std::sort(lots.begin(), lots.end(), by_number);
    runs.clear();
    for (Lot& lot : lots) {
        runs.push_back(std::move(lot.run));
    }
    return runs;
}

}  // namespace pasb
