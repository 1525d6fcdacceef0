// A JSON object that carries its own digest, so that a changed byte in a file of such lines is found. Not a signature:
// whoever changes a line on purpose can seal it again.
#pragma once

#include <nlohmann/json.hpp>

namespace pasb {

// The object with a member `sha256`: json_sha256 of the object without that member. An old seal is replaced.
nlohmann::json sealed(nlohmann::json object);

// Whether `value` is an object whose `sha256` is the digest of the rest.
bool seal_holds(const nlohmann::json& value);

}  // namespace pasb
