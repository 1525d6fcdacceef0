// Figures with a value axis upwards: scatter, and lines over ordered labels. Private to report/svg.
#pragma once

#include <string>

#include "report/document.hpp"

namespace pasb::svg {

std::string scatter_figure(const Figure& figure);
std::string lines_figure(const Figure& figure);

}  // namespace pasb::svg
