// Fills {{name}} in the strings of an adapter's request, and takes the reply out of the answer. Not a template
// language: no nesting, no conditions, and what was filled in is never looked at again (a user's text may itself hold
// {{session}}).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pasb {

// Name without the braces -> text.
using TemplateValues = std::map<std::string, std::string, std::less<>>;

// A {{name}} that `values` does not know stays as it is; adapter files are checked for that when they are read.
std::string fill_template(std::string_view text, const TemplateValues& values);

// Every string value at any depth; keys are left alone.
nlohmann::json fill_json_template(nlohmann::json value, const TemplateValues& values);

// Names between {{ and }}, in order, repeated where they repeat.
std::vector<std::string> template_names(std::string_view text);
std::vector<std::string> json_template_names(const nlohmann::json& value);

// The string at JSON pointer `pointer`; nothing when it is absent, not a string, or blank. Throws InputError on a
// malformed pointer.
std::optional<std::string> reply_text(const nlohmann::json& answer, const std::string& pointer);

}  // namespace pasb
