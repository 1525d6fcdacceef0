#include "report/document.hpp"

namespace pasb {

std::string_view to_string(Unit unit) {
    switch (unit) {
        case Unit::text:
            return "text";
        case Unit::count:
            return "count";
        case Unit::share:
            return "share";
        case Unit::difference:
            return "difference";
        case Unit::score:
            return "score";
        case Unit::seconds:
            return "seconds";
        case Unit::bytes:
            return "bytes";
        case Unit::p_value:
            return "p-value";
        case Unit::coefficient:
            return "coefficient";
    }
    return "?";
}

std::string_view to_string(FigureKind kind) {
    switch (kind) {
        case FigureKind::grouped_bars:
            return "grouped-bars";
        case FigureKind::stacked_bars:
            return "stacked-bars";
        case FigureKind::dots:
            return "dots";
        case FigureKind::scatter:
            return "scatter";
        case FigureKind::lines:
            return "lines";
    }
    return "?";
}

}  // namespace pasb
