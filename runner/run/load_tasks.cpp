#include "run/load_tasks.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "model/errors.hpp"
#include "net/file.hpp"
#include "plan/task_file.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

bool is_task_file(const fs::path& path) {
    return path.extension() == ".jsonl" || path.extension() == ".yaml";
}

std::vector<fs::path> task_files(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        return {path};
    }
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
        if (is_task_file(entry.path())) {
            files.push_back(entry.path());
        }
    }
    if (error) {
        throw InputError(path.string() + ": cannot be read: " + error.message());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::vector<Task> load_tasks(const std::string& path) {
    std::vector<Task> all;
    for (const fs::path& file : task_files(path)) {
        if (!is_task_file(file)) {
            throw InputError(path + ": no task file; name a .jsonl or .yaml file, or a folder that holds some");
        }
        const std::string text = read_file(file.string());
        std::vector<Task> tasks = file.extension() == ".yaml" ? parse_task_yaml(text, file.string())
                                                              : parse_release_jsonl(text, file.string());
        std::move(tasks.begin(), tasks.end(), std::back_inserter(all));
    }
    if (all.empty()) {
        throw InputError(path + ": no task in it; name a .jsonl or .yaml file, or a folder that holds some");
    }
    return unique_tasks(std::move(all));
}

}  // namespace pasb
