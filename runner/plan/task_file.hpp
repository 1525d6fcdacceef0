// Texts of task files -> tasks: the public release's JSONL and the project's own YAML (schema pasb.tasks/1). Opens no
// file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/task.hpp"

namespace pasb {

// One JSON object a line. Byte order mark, CRLF and blank lines are accepted; keys that a run does not need may be
// missing. Throws InputError "file:line[:column]: ..." on anything else.
std::vector<Task> parse_release_jsonl(std::string_view text, const std::string& filename);

// One base item with its renderings; task ids are <base_item_id>__<scenario>__<delivery>. Throws InputError "file:line:
// field: ...".
std::vector<Task> parse_task_yaml(std::string_view text, const std::string& filename);

// All tasks in their order, an identical repetition kept once. Throws InputError naming both places when one id stands
// for two contents.
std::vector<Task> unique_tasks(std::vector<Task> tasks);

}  // namespace pasb
