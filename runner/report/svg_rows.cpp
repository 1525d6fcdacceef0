#include "report/svg_rows.hpp"

#include <algorithm>

#include "report/figure_table.hpp"
#include "report/svg_parts.hpp"
#include "report/text_form.hpp"

namespace pasb::svg {
namespace {

constexpr double long_figure = 560;   // from this height on the axis is labelled at the top too
constexpr double label_height = 20;   // of a label that stands above its lines
constexpr double widest_label = 250;  // of one that stands beside them

struct Rows {
    std::vector<std::string> labels;
    Area area;
    Axis axis;
    double line_height = 18;   // of one bar or dot
    double group_height = 30;  // of one label
    double above_lines = 0;    // from a group's top to its first line
};

bool is_stacked(const Canvas& canvas) {
    return canvas.figure.kind == FigureKind::stacked_bars;
}

double label_column(const std::vector<std::string>& labels) {
    double widest = 40;
    for (const std::string& label : labels) {
        widest = std::max(widest, text_width(label));
    }
    return std::min(widest, widest_label) + 14;
}

// On a narrow canvas labels stand above their lines, else beside them.
Rows plan_of(const Canvas& canvas, double top) {
    Rows rows;
    rows.labels = labels_of(canvas.figure);
    const std::size_t lines = is_stacked(canvas) ? 1 : std::max<std::size_t>(canvas.figure.series.size(), 1);
    const double gap = lines == 1 ? 4 : 14;
    rows.line_height = lines == 1 ? 24 : 17;
    rows.above_lines = canvas.narrow ? label_height + 4 : gap / 2;
    rows.group_height = rows.above_lines + rows.line_height * static_cast<double>(lines) + gap / 2;
    const double height = rows.group_height * static_cast<double>(rows.labels.size());
    const double left = canvas.narrow ? 14 : label_column(rows.labels);
    const double value_column = is_stacked(canvas) ? 26 : 74;
    top += height > long_figure ? 24 : 6;
    rows.area = {left, canvas.width - value_column, top, top + height};
    const Range range = is_stacked(canvas) ? Range{0, 1} : range_of(canvas.figure);
    rows.axis =
        axis_for(range.least, range.most, canvas.figure.y_unit, rows.area.left, rows.area.right, canvas.narrow ? 3 : 5);
    return rows;
}

std::string axis_marks(const Canvas& canvas, const Rows& rows) {
    std::string marks;
    const bool long_one = rows.area.bottom - rows.area.top > long_figure;
    for (const double tick : rows.axis.ticks()) {
        const double x = rows.axis.at(tick);
        const std::string label = tick_text(tick, rows.axis, canvas.figure.y_unit);
        const bool origin = tick > -rows.axis.step / 2 && tick < rows.axis.step / 2;
        marks += line(x, rows.area.top, x, rows.area.bottom, origin ? "zero" : "grid");
        marks += text_at(x, rows.area.bottom + 18, "tick", "middle", label);
        marks += long_one ? text_at(x, rows.area.top - 8, "tick", "middle", label) : "";
    }
    marks +=
        text_at((rows.area.left + rows.area.right) / 2, rows.area.bottom + 40, "axis", "middle", canvas.figure.y_title);
    return marks + "\n";
}

std::string not_available(const Rows& rows, const Point& point, double x, double y) {
    return text_at(x + 6, y + 4, "na", "start", fitted("n/a: " + point.reason, rows.area.right - x - 12));
}

// One bar or dot with its interval and printed value; y is the middle of its line.
std::string mark_of(const Canvas& canvas, const Rows& rows, std::size_t index, const Point& point, double y) {
    if (!point.y) {
        return not_available(rows, point, rows.area.left, y);
    }
    const double x = rows.axis.at(*point.y);
    std::string marks;
    if (canvas.figure.kind == FigureKind::grouped_bars) {
        const double origin = rows.axis.at(std::max(rows.axis.low, 0.0));
        marks += bar(canvas, index, std::min(x, origin), y - 6, std::max(std::abs(x - origin), 1.0), 12);
    }
    if (point.interval) {
        marks += whisker_across(rows.axis.at(point.interval->low), rows.axis.at(point.interval->high), y);
    }
    if (canvas.figure.kind == FigureKind::dots) {
        marks += shape(index, x, y);
    }
    return marks + text_at(canvas.width - 2, y + 4, "value", "end", value_text(*point.y, canvas.figure.y_unit));
}

std::string lines_of(const Canvas& canvas, const Rows& rows, const std::string& label, double top) {
    std::string marks;
    for (std::size_t i = 0; i < canvas.figure.series.size(); ++i) {
        const Point* const point = point_at(canvas.figure.series.at(i), label);
        if (point != nullptr) {
            const double y = top + rows.line_height * (static_cast<double>(i) + 0.5);
            marks += described(point_title(canvas.figure, canvas.figure.series.at(i), *point),
                               mark_of(canvas, rows, i, *point, y));
        }
    }
    return marks;
}

std::string stack_of(const Canvas& canvas, const Rows& rows, const std::string& label, double top) {
    std::string marks;
    double sum = 0;
    const Point* missing = nullptr;
    for (std::size_t i = 0; i < canvas.figure.series.size(); ++i) {
        const Point* const point = point_at(canvas.figure.series.at(i), label);
        if (point == nullptr || !point->y) {
            missing = point == nullptr ? missing : point;
            continue;  // the pieces that there are still stand, and the reason behind them
        }
        const double begin = rows.axis.at(sum);
        sum += *point->y;
        marks += described(point_title(canvas.figure, canvas.figure.series.at(i), *point),
                           bar(canvas, i, begin, top + 3, rows.axis.at(sum) - begin, rows.line_height - 6));
    }
    return missing == nullptr ? marks
                              : marks + not_available(rows, *missing, rows.axis.at(sum), top + rows.line_height / 2);
}

std::string label_mark(const Canvas& canvas, const Rows& rows, const std::string& label, double top) {
    if (canvas.narrow) {
        return text_at(rows.area.left + 6, top + label_height, "label", "start", fitted(label, canvas.width - 20));
    }
    return text_at(rows.area.left - 10, top + rows.group_height / 2 + 4, "label", "end",
                   fitted(label, rows.area.left - 14));
}

}  // namespace

std::string rows_figure(const Canvas& canvas) {
    const Legend legend = legend_of(canvas, 2);
    const Rows rows = plan_of(canvas, legend.height);
    std::string marks = hatches(canvas) + legend.marks + axis_marks(canvas, rows);
    double top = rows.area.top;
    for (const std::string& label : rows.labels) {
        marks += top > rows.area.top ? line(0, top, canvas.width, top, "divide") : "";
        marks += described(label, label_mark(canvas, rows, label, top));
        marks += is_stacked(canvas) ? stack_of(canvas, rows, label, top + rows.above_lines)
                                    : lines_of(canvas, rows, label, top + rows.above_lines);
        top += rows.group_height;
    }
    return framed(canvas, rows.area.bottom + 50, marks);
}

}  // namespace pasb::svg
