// The time of day as it stands in files.
#pragma once

#include <string>

namespace pasb {

std::string utc_now();  // "2026-01-31T12:00:00Z"

}  // namespace pasb
