// Replaces or removes members of a JSON object inside its text, leaving every other byte as it was: key order, number
// spelling and escapes of the rest survive, which re-serialising would not promise. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pasb {

// `object` must be valid JSON and an object; `members` holds JSON texts by name, or nothing for a member to remove. One
// that is missing is added in front. Throws InputError when a name of `members` stands twice at the top level.
std::string replace_members(std::string_view object, const std::map<std::string, std::optional<std::string>>& members);

// Deepest nesting of arrays and objects in a JSON text, whether or not it is valid. Lets a reader refuse what would
// exhaust the stack.
std::size_t nesting_depth(std::string_view text);

}  // namespace pasb
