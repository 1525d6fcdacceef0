// A table as CSV (RFC 4180) for a spreadsheet or a program: full precision, nothing rounded.
#pragma once

#include <string>

#include "report/document.hpp"

namespace pasb {

// An estimate spreads over the columns key, key_numerator, key_denominator, key_clusters, key_wilson_low, ... key_p and
// key_reason; those that no row has are left out. Text that a spreadsheet would take for a formula begins with an
// apostrophe.
std::string table_csv(const Table& table);

}  // namespace pasb
