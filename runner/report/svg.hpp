// A figure as one inline SVG element. Colours and fonts come from the page's style (page.css); shapes and hatches tell
// the series apart without colour. Values become coordinates here and nowhere else.
#pragma once

#include <string>

#include "report/document.hpp"

namespace pasb {

// Wide for a desk, narrow for a phone: the same text size in both, so that nobody has to zoom.
enum class FigureWidth { wide, narrow };

std::string figure_svg(const Figure& figure, FigureWidth width = FigureWidth::wide);

}  // namespace pasb
