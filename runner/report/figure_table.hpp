// The numbers of a figure as a table, for those who cannot see it or want to copy them. A row a point.
#pragma once

#include "report/document.hpp"

namespace pasb {

Table figure_table(const Figure& figure);

// The labels of a figure in the order in which its series first name them.
std::vector<std::string> labels_of(const Figure& figure);

// The point with this label, or null.
const Point* point_at(const Series& series, const std::string& label);

}  // namespace pasb
