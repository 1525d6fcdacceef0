#include "report/axis.hpp"

#include <algorithm>
#include <cmath>

#include "report/text_form.hpp"

namespace pasb {
namespace {

double round_step(double span, int wanted) {
    const double raw = span / wanted;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (raw <= factor * power * 1.0001) {
            return factor * power;
        }
    }
    return 10 * power;
}

}  // namespace

double Axis::at(double value) const {
    return from + (value - low) / (high - low) * (to - from);
}

std::vector<double> Axis::ticks() const {
    std::vector<double> values;
    const double first = std::ceil(low / step - 1e-6);
    for (double index = first; index * step <= high + step * 1e-6; ++index) {
        values.push_back(index * step);
    }
    return values;
}

Axis axis_for(double least, double most, Unit unit, double from, double to, int wanted) {
    const double origin = unit == Unit::score ? 1 : 0;
    Axis axis;
    axis.from = from;
    axis.to = to;
    axis.low = unit == Unit::score ? origin : std::min(least, origin);
    axis.high = std::max(most, origin);
    if (axis.high - axis.low < 1e-9) {
        axis.high = axis.low + (unit == Unit::difference ? 0.1 : 1);
    }
    axis.step = round_step(axis.high - axis.low, wanted);
    axis.low = std::floor(axis.low / axis.step + 1e-6) * axis.step;
    axis.high = std::ceil(axis.high / axis.step - 1e-6) * axis.step;
    if (unit == Unit::share && most <= 1) {
        axis.high = std::min(axis.high, 1.0);
    }
    if (unit == Unit::score) {
        axis.high = std::min(axis.high, 5.0);
    }
    return axis;
}

std::string tick_text(double value, const Axis& axis, Unit unit) {
    std::string text = value_text(std::abs(value) < axis.step * 1e-6 ? 0 : value, unit);
    const bool percent = unit == Unit::share || unit == Unit::difference;
    const bool whole = percent ? axis.step >= 0.01 - 1e-9 : axis.step >= 1 - 1e-9;
    const std::size_t point = text.find('.');
    if (whole && point != std::string::npos && unit != Unit::bytes && unit != Unit::p_value) {
        const std::size_t end = text.find_first_not_of("0123456789", point + 1);
        text.erase(point, (end == std::string::npos ? text.size() : end) - point);
    }
    return text;
}

}  // namespace pasb
