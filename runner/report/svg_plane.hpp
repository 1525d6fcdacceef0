// Figures with a value axis upwards: scatter, and lines over ordered labels. Private to report/svg.
#pragma once

#include <string>

#include "report/svg_parts.hpp"

namespace pasb::svg {

std::string scatter_figure(const Canvas& canvas);
std::string lines_figure(const Canvas& canvas);

}  // namespace pasb::svg
