#include "report/svg.hpp"

#include "report/svg_parts.hpp"
#include "report/svg_plane.hpp"
#include "report/svg_rows.hpp"

namespace pasb {

std::string figure_svg(const Figure& figure, FigureWidth width) {
    const bool narrow = width == FigureWidth::narrow;
    const svg::Canvas canvas{figure, "figure-" + figure.id + (narrow ? "-narrow" : "-wide"), narrow ? 360.0 : 760.0,
                             narrow};
    switch (figure.kind) {
        case FigureKind::scatter:
            return svg::scatter_figure(canvas);
        case FigureKind::lines:
            return svg::lines_figure(canvas);
        case FigureKind::grouped_bars:
        case FigureKind::stacked_bars:
        case FigureKind::dots:
            break;
    }
    return svg::rows_figure(canvas);
}

}  // namespace pasb
