// Reads adapters/<framework>/adapter.yaml. Every mistake in it is an InputError "file:line: field: what is wrong;
// remedy".
#pragma once

#include <string>
#include <string_view>

#include "model/adapter.hpp"

namespace pasb {

// Leaves Adapter::folder empty.
Adapter parse_adapter(std::string_view text, const std::string& filename);

// `folder` is adapters/<framework>, and becomes Adapter::folder.
Adapter load_adapter(const std::string& folder);

}  // namespace pasb
