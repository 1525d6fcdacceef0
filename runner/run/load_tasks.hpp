// Reads task files from disk; what they say is plan/task_file's matter.
#pragma once

#include <string>
#include <vector>

#include "model/task.hpp"

namespace pasb {

// A .jsonl or .yaml file, or a folder with such files (not below it), read in the order of their names. Throws
// InputError.
std::vector<Task> load_tasks(const std::string& path);

}  // namespace pasb
