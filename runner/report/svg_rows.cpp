#include "report/svg_rows.hpp"

#include <algorithm>

#include "report/figure_table.hpp"
#include "report/svg_parts.hpp"
#include "report/text_form.hpp"

namespace pasb::svg {
namespace {

constexpr double value_column = 74;  // at the right, for the printed values
constexpr double long_figure = 560;  // from this height on the axis is labelled at the top too

struct Rows {
    std::vector<std::string> labels;
    Area area;
    Axis axis;
    double line_height = 18;   // of one bar or dot
    double group_height = 30;  // of one label
    std::size_t lines = 1;     // in a group
};

bool stacked(const Figure& figure) {
    return figure.kind == FigureKind::stacked_bars;
}

Rows plan_of(const Figure& figure, double top) {
    Rows rows;
    rows.labels = labels_of(figure);
    rows.lines = stacked(figure) ? 1 : std::max<std::size_t>(figure.series.size(), 1);
    rows.line_height = rows.lines == 1 ? 24 : 17;
    rows.group_height = rows.line_height * static_cast<double>(rows.lines) + (rows.lines == 1 ? 4 : 14);
    double label_width = 40;
    for (const std::string& label : rows.labels) {
        label_width = std::max(label_width, text_width(label));
    }
    const double height = rows.group_height * static_cast<double>(rows.labels.size());
    const double above = height > long_figure ? 24 : 6;
    rows.area = {std::min(label_width, 250.0) + 14, width - (stacked(figure) ? 26 : value_column), top + above,
                 top + above + height};
    const Range range = stacked(figure) ? Range{0, 1} : range_of(figure);
    rows.axis = axis_for(range.least, range.most, figure.y_unit, rows.area.left, rows.area.right);
    return rows;
}

std::string axis_marks(const Figure& figure, const Rows& rows) {
    std::string marks;
    const bool long_one = rows.area.bottom - rows.area.top > long_figure;
    for (const double tick : rows.axis.ticks()) {
        const double x = rows.axis.at(tick);
        const std::string label = tick_text(tick, rows.axis, figure.y_unit);
        const bool origin = tick > -rows.axis.step / 2 && tick < rows.axis.step / 2;
        marks += line(x, rows.area.top, x, rows.area.bottom, origin ? "zero" : "grid");
        marks += text_at(x, rows.area.bottom + 18, "tick", "middle", label);
        marks += long_one ? text_at(x, rows.area.top - 8, "tick", "middle", label) : "";
    }
    marks += text_at((rows.area.left + rows.area.right) / 2, rows.area.bottom + 40, "axis", "middle", figure.y_title);
    return marks + "\n";
}

std::string not_available(const Rows& rows, const Point& point, double x, double y) {
    return text_at(x + 6, y + 4, "na", "start", fitted("n/a: " + point.reason, rows.area.right - x - 12));
}

// One bar or dot with its interval and printed value; y is the middle of its line.
std::string mark_of(const Figure& figure, const Rows& rows, std::size_t index, const Point& point, double y) {
    if (!point.y) {
        return not_available(rows, point, rows.area.left, y);
    }
    const double x = rows.axis.at(*point.y);
    std::string marks;
    if (figure.kind == FigureKind::grouped_bars) {
        const double origin = rows.axis.at(std::max(rows.axis.low, 0.0));
        marks += bar(figure, index, std::min(x, origin), y - 6, std::max(std::abs(x - origin), 1.0), 12);
    }
    if (point.interval) {
        marks += whisker_across(rows.axis.at(point.interval->low), rows.axis.at(point.interval->high), y);
    }
    if (figure.kind == FigureKind::dots) {
        marks += shape(index, x, y);
    }
    return marks + text_at(width - 2, y + 4, "value", "end", value_text(*point.y, figure.y_unit));
}

std::string lines_of(const Figure& figure, const Rows& rows, const std::string& label, double top) {
    std::string marks;
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
        const Point* const point = point_at(figure.series.at(i), label);
        if (point != nullptr) {
            const double y = top + rows.line_height * (static_cast<double>(i) + 0.5);
            marks += described(point_title(figure, figure.series.at(i), *point), mark_of(figure, rows, i, *point, y));
        }
    }
    return marks;
}

std::string stack_of(const Figure& figure, const Rows& rows, const std::string& label, double top) {
    std::string marks;
    double sum = 0;
    const Point* missing = nullptr;
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
        const Point* const point = point_at(figure.series.at(i), label);
        if (point == nullptr || !point->y) {
            missing = point == nullptr ? missing : point;
            continue;  // the pieces that there are still stand, and the reason behind them
        }
        const double begin = rows.axis.at(sum);
        sum += *point->y;
        marks += described(point_title(figure, figure.series.at(i), *point),
                           bar(figure, i, begin, top + 3, rows.axis.at(sum) - begin, rows.line_height - 6));
    }
    return missing == nullptr ? marks
                              : marks + not_available(rows, *missing, rows.axis.at(sum), top + rows.line_height / 2);
}

}  // namespace

std::string rows_figure(const Figure& figure) {
    const Legend legend = legend_of(figure, 2);
    const Rows rows = plan_of(figure, legend.height);
    std::string marks = hatches(figure) + legend.marks + axis_marks(figure, rows);
    double top = rows.area.top;
    for (const std::string& label : rows.labels) {
        const double middle = top + rows.group_height / 2;
        const double content = top + (rows.group_height - rows.line_height * static_cast<double>(rows.lines)) / 2;
        marks += top > rows.area.top && rows.lines > 1 ? line(0, top, width, top, "divide") : "";
        marks += described(
            label, text_at(rows.area.left - 10, middle + 4, "label", "end", fitted(label, rows.area.left - 14)));
        marks += stacked(figure) ? stack_of(figure, rows, label, content) : lines_of(figure, rows, label, content);
        top += rows.group_height;
    }
    return framed(figure, rows.area.bottom + 50, marks);
}

}  // namespace pasb::svg
