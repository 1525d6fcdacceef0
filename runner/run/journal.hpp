// The output folder of an eval: records.jsonl (one line a finished attempt), eval.json (its configuration) and the lock
// that keeps a second runner out. Of what a record holds, only run_id and valid are known here.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "run/line_file.hpp"

namespace pasb {

class Journal {
  public:
    // Creates the folder where needed, locks it, sets a torn last line aside (records.torn-<n>.jsonl), and reads what
    // is done. Throws InputError when another runner holds the folder, when it was begun with another configuration
    // (naming what differs), and when a whole line is no record (naming the line).
    Journal(const std::filesystem::path& folder, const nlohmann::json& configuration);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // Appends one line, on disk when it returns; from any thread. Throws InputError when the disk does not take it,
    // leaving no part of it.
    void append(const nlohmann::json& record);

    [[nodiscard]] std::set<std::string> finished_valid() const;   // run ids with a valid record
    [[nodiscard]] int attempts(const std::string& run_id) const;  // records of this run, valid or not
    [[nodiscard]] const std::filesystem::path& torn_file() const {
        return torn_file_;
    }  // empty when the last line was whole

  private:
    void count(const nlohmann::json& record);

    std::filesystem::path records_file_;
    std::filesystem::path torn_file_;
    FolderLock lock_;
    std::unique_ptr<LineWriter> records_;
    mutable std::mutex mutex_;
    std::set<std::string> finished_valid_;
    std::map<std::string, int> attempts_;
};

// Calls `each` with every whole record of records.jsonl in order; a torn last line is passed over. Takes no lock: for
// commands that only read. Throws InputError when the file cannot be read or a whole line is no record.
void read_records(const std::filesystem::path& records_file,
                  const std::function<void(const nlohmann::json& record)>& each);

}  // namespace pasb
