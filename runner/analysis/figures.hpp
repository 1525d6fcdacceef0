// The report's figures, drawn from its tables: every mark is a cell that a reader can look up.
#pragma once

#include <vector>

#include "report/document.hpp"

namespace pasb {

// In the order of the page. Tables are found by id; throws std::invalid_argument when one is missing.
std::vector<Figure> figures_of(const std::vector<Table>& tables);

}  // namespace pasb
