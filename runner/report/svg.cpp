#include "report/svg.hpp"

#include "report/svg_plane.hpp"
#include "report/svg_rows.hpp"

namespace pasb {

std::string figure_svg(const Figure& figure) {
    switch (figure.kind) {
        case FigureKind::scatter:
            return svg::scatter_figure(figure);
        case FigureKind::lines:
            return svg::lines_figure(figure);
        case FigureKind::grouped_bars:
        case FigureKind::stacked_bars:
        case FigureKind::dots:
            break;
    }
    return svg::rows_figure(figure);
}

}  // namespace pasb
