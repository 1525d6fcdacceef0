// A figure as one inline SVG element. Colours and fonts come from the page's style (page.css); shapes and hatches tell
// the series apart without colour. Values become coordinates here and nowhere else.
#pragma once

#include <string>

#include "report/document.hpp"

namespace pasb {

std::string figure_svg(const Figure& figure);

}  // namespace pasb
