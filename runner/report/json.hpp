// report.json, schema pasb.report/1: the whole document for programs, and back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/document.hpp"

namespace pasb {

// Cells: text is a string, a bare number a number, an estimate an object with `value`, a missing one {"reason"}.
// A bare number that is not finite becomes a missing one, since JSON has no such numbers.
nlohmann::json to_json(const Document& document);
nlohmann::json to_json(const Table& table);

// The text of report.json with its last newline; bytes that are not UTF-8 are replaced.
std::string document_json(const Document& document);

// Throws InputError that names the missing or wrong field.
Document document_from_json(const nlohmann::json& value);

}  // namespace pasb
