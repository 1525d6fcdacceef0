#include "report/svg_plane.hpp"

#include <algorithm>
#include <cmath>

#include "report/figure_table.hpp"
#include "report/html.hpp"
#include "report/svg_parts.hpp"
#include "report/text_form.hpp"

namespace pasb::svg {
namespace {

Area area_below(const Canvas& canvas, double top) {
    const double height = canvas.narrow ? 260 : 340;
    return {canvas.narrow ? 66.0 : 78.0, canvas.width - 24, top + 10, top + 10 + height};
}

std::string y_axis(const Figure& figure, const Area& area, const Axis& axis) {
    std::string marks;
    for (const double tick : axis.ticks()) {
        const bool origin = std::abs(tick) < axis.step / 2;
        marks += line(area.left, axis.at(tick), area.right, axis.at(tick), origin ? "zero" : "grid");
        marks += text_at(area.left - 8, axis.at(tick) + 4, "tick", "end", tick_text(tick, axis, figure.y_unit));
    }
    const double middle = (area.top + area.bottom) / 2;
    const std::string turned = " transform=\"rotate(-90 16 " + number(middle) + ")\"";
    return marks + text_at(16, middle, "axis", "middle", figure.y_title, turned) + "\n";
}

std::string interval_mark(const Point& point, const Axis& axis, double x) {
    return point.interval ? whisker_up(x, axis.at(point.interval->low), axis.at(point.interval->high)) : "";
}

// Names of dots, each beside its dot where it meets neither another name nor a dot.
class Labels {
  public:
    explicit Labels(Area area) : area_(area) {}

    void block(const Area& area) { taken_.push_back(area); }

    // "" where there is no room: the dot's title and the data table still name it.
    std::string place(double x, double y, const std::string& name) {
        const double w = text_width(name);
        for (const auto& [left, base] : {std::pair{x + 10, y + 4}, std::pair{x - 10 - w, y + 4},
                                         std::pair{x - w / 2, y - 11}, std::pair{x - w / 2, y + 19}}) {
            const Area box{left, left + w, base - 11, base + 3};
            const bool inside = box.left >= area_.left && box.right <= area_.right && box.top >= area_.top &&
                                box.bottom <= area_.bottom;
            if (inside &&
                std::none_of(taken_.begin(), taken_.end(), [&](const Area& other) { return meet(box, other); })) {
                taken_.push_back(box);
                return text_at(left, base, "name", "start", name);
            }
        }
        return "";
    }

  private:
    static bool meet(const Area& a, const Area& b) {
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    }

    Area area_;
    std::vector<Area> taken_;
};

Axis scatter_x_axis(const Canvas& canvas, const Area& area) {
    const Figure& figure = canvas.figure;
    double least = 0;
    double most = 0;
    bool first = true;
    for (const Series& series : figure.series) {
        for (const Point& point : series.points) {
            if (point.x && point.y) {
                least = first ? *point.x : std::min(least, *point.x);
                most = first ? *point.x : std::max(most, *point.x);
                first = false;
            }
        }
    }
    return axis_for(least, most, figure.x_unit, area.left, area.right, canvas.narrow ? 3 : 7);
}

std::string x_axis(const Figure& figure, const Area& area, const Axis& axis) {
    std::string marks;
    for (const double tick : axis.ticks()) {
        marks += line(axis.at(tick), area.top, axis.at(tick), area.bottom, "grid");
        marks += text_at(axis.at(tick), area.bottom + 18, "tick", "middle", tick_text(tick, axis, figure.x_unit));
    }
    return marks + text_at((area.left + area.right) / 2, area.bottom + 42, "axis", "middle", figure.x_title) + "\n";
}

std::string scatter_title(const Figure& figure, const Series& series, const Point& point) {
    return point_title(figure, series, point) + "; " + figure.x_title + " " + value_text(*point.x, figure.x_unit);
}

// Points without a place are named below the plot.
std::string missing_lines(const Canvas& canvas, double& y) {
    const Figure& figure = canvas.figure;
    const double left = canvas.narrow ? 2 : 78;
    std::string marks;
    for (const Series& series : figure.series) {
        for (const Point& point : series.points) {
            if (!point.y || (figure.kind == FigureKind::scatter && !point.x)) {
                y += 18;
                const std::string name = point.label + (series.name.empty() ? "" : ", " + series.name);
                const std::string why = point.reason.empty() ? "no value" : point.reason;
                marks += text_at(left, y, "na", "start", fitted(name + ": n/a: " + why, canvas.width - left - 12));
            }
        }
    }
    return marks;
}

std::string polyline(std::size_t series, const std::string& data) {
    return "<path class=\"line s" + std::to_string(series % 8) + "\" d=\"" + data + "\"/>";
}

// The line of a series is broken where a value is missing.
std::string series_line(const Figure& figure, std::size_t index, const std::vector<std::string>& labels,
                        const Axis& x_axis, const Axis& axis) {
    std::string data;
    std::string marks;
    bool broken = true;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const Point* const point = point_at(figure.series.at(index), labels.at(i));
        if (point == nullptr || !point->y) {
            broken = true;
            continue;
        }
        // Series stand a little apart, so that their intervals can be told from each other.
        const double apart = (static_cast<double>(index) - static_cast<double>(figure.series.size() - 1) / 2) * 5;
        const double x = x_axis.at(static_cast<double>(i)) + apart;
        const double y = axis.at(*point->y);
        data += (broken ? "M" : "L") + number(x) + " " + number(y);
        broken = false;
        marks += described(point_title(figure, figure.series.at(index), *point),
                           interval_mark(*point, axis, x) + shape(index, x, y));
    }
    return polyline(index, data) + marks;
}

// Labels that would run into each other are turned.
std::string category_axis(const std::vector<std::string>& labels, const Axis& axis, double y, double& depth) {
    double widest = 0;
    for (const std::string& label : labels) {
        widest = std::max(widest, text_width(label));
    }
    const double room = labels.size() < 2 ? 300 : axis.at(1) - axis.at(0);
    const bool turn = widest > room - 8;
    std::string marks;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const double x = axis.at(static_cast<double>(i));
        const std::string turned = " transform=\"rotate(-40 " + number(x) + " " + number(y + 16) + ")\"";
        marks += described(labels.at(i), text_at(x, y + 18, "label", turn ? "end" : "middle",
                                                 fitted(labels.at(i), turn ? 150 : 300), turn ? turned : ""));
    }
    depth = turn ? 24 + std::min(widest, 150.0) * 0.66 : 22;
    return marks;
}

}  // namespace

std::string scatter_figure(const Canvas& canvas) {
    const Figure& figure = canvas.figure;
    const Legend legend = legend_of(canvas, 2);
    const Area area = area_below(canvas, legend.height);
    const Range range = range_of(figure);
    const Axis up = axis_for(range.least, range.most, figure.y_unit, area.bottom, area.top);
    const Axis across = scatter_x_axis(canvas, area);
    std::string marks = legend.marks + y_axis(figure, area, up) + x_axis(figure, area, across);
    Labels labels(area);
    std::string names;
    for (const bool naming : {false, true}) {
        for (std::size_t i = 0; i < figure.series.size(); ++i) {
            for (const Point& point : figure.series.at(i).points) {
                if (!point.x || !point.y) {
                    continue;
                }
                const double x = across.at(*point.x);
                const double y = up.at(*point.y);
                if (naming) {
                    names += labels.place(x, y, point.label);
                } else {
                    labels.block({x - 6, x + 6, y - 6, y + 6});
                    if (point.interval) {
                        labels.block({x - 2, x + 2, up.at(point.interval->high), up.at(point.interval->low)});
                    }
                    marks += described(scatter_title(figure, figure.series.at(i), point),
                                       interval_mark(point, up, x) + shape(i, x, y));
                }
            }
        }
    }
    double bottom = area.bottom + 42;
    marks += names + missing_lines(canvas, bottom);
    return framed(canvas, bottom + 12, marks);
}

std::string lines_figure(const Canvas& canvas) {
    const Figure& figure = canvas.figure;
    const Legend legend = legend_of(canvas, 2);
    const Area area = area_below(canvas, legend.height);
    const Range range = range_of(figure);
    const Axis up = axis_for(range.least, range.most, figure.y_unit, area.bottom, area.top);
    const std::vector<std::string> labels = labels_of(figure);
    Axis across;
    across.high = std::max(static_cast<double>(labels.size()) - 1, 1.0);
    across.from = area.left + (canvas.narrow ? 20 : 36);
    across.to = area.right - (canvas.narrow ? 10 : 36);
    double depth = 0;
    std::string marks = legend.marks + y_axis(figure, area, up) + category_axis(labels, across, area.bottom, depth);
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
        marks += series_line(figure, i, labels, across, up);
    }
    double bottom = area.bottom + depth + 22;
    marks += text_at((area.left + area.right) / 2, bottom, "axis", "middle", figure.x_title);
    marks += missing_lines(canvas, bottom);
    return framed(canvas, bottom + 12, marks);
}

}  // namespace pasb::svg
