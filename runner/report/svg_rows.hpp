// Figures with a category a row and values along x: grouped bars, stacked bars, dots. Rows, since 32 combinations with
// their names fit below each other and not beside each other. Private to report/svg.
#pragma once

#include <string>

#include "report/svg_parts.hpp"

namespace pasb::svg {

std::string rows_figure(const Canvas& canvas);

}  // namespace pasb::svg
