// What `pasb judge` and `pasb annotate` print while they work and at their end.
#pragma once

#include <string>

#include "judge/assess.hpp"

namespace pasb {

// "judge sim:lexical (simulated judge, not a language model)".
std::string who(const std::string& role, const std::string& name, bool simulated);

// One living line on a terminal, a line each tenth of the work otherwise; on stderr.
AssessSink progress_sink(const std::string& what);

// The summary for stdout. `without` is the word for a result without values: "unscored", "unlabelled".
std::string summary_of(const AssessResult& result, const std::string& what, const std::string& without);

// Says on stdout how the work ended, and on stderr why it is not done where it is not; returns the exit code. `limit`
// is a share.
int conclude(const AssessResult& result, const std::string& without, double limit);

}  // namespace pasb
