// A linear axis of a figure: round ticks and the place of a value. Not a drawing.
#pragma once

#include <string>
#include <vector>

#include "report/document.hpp"

namespace pasb {

struct Axis {
    double low = 0;  // values at the ends
    double high = 1;
    double step = 0.2;  // between ticks
    double from = 0;    // coordinates of low and high; from may be the larger one
    double to = 1;

    [[nodiscard]] double at(double value) const;
    [[nodiscard]] std::vector<double> ticks() const;
};

// From `least` to `most`, widened to round numbers with about `wanted` steps. Zero is on the axis unless the unit is a
// score, which begins at 1; shares end at 1 and scores at 5 at the latest.
Axis axis_for(double least, double most, Unit unit, double from, double to, int wanted = 5);

// A tick's label, with no more digits than the step needs: "20 %", "+5 pp".
std::string tick_text(double value, const Axis& axis, Unit unit);

}  // namespace pasb
