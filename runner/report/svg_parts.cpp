#include "report/svg_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "report/html.hpp"
#include "report/text_form.hpp"

namespace pasb::svg {
namespace {

constexpr std::size_t colours = 8;  // --c0 to --c7 in page.css

// The hatch of each colour; the first is plain.
constexpr std::array<const char*, colours> hatch_paths{"",
                                                       "M-2 10L10 -2M-2 2L2 -2M6 10L10 6",
                                                       "M-2 -2L10 10M-2 6L2 10M6 -2L10 2",
                                                       "M0 4H8",
                                                       "M4 0V8",
                                                       "M0 4H8M4 0V8",
                                                       "M2 2h1M6 6h1",
                                                       "M0 8L8 0M0 0L8 8"};

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string path(std::string_view css, const std::string& data) {
    return "<path class=\"" + std::string(css) + "\" d=\"" + data + "\"/>";
}

// A polygon given by offsets in units of the radius.
std::string polygon(std::string_view css, double x, double y, double radius, const std::vector<Interval>& corners) {
    std::string data;
    for (const Interval& corner : corners) {
        data += (data.empty() ? "M" : "L") + number(x + corner.low * radius) + " " + number(y + corner.high * radius);
    }
    return path(css, data + "Z");
}

bool has_bars(const Figure& figure) {
    return figure.kind == FigureKind::grouped_bars || figure.kind == FigureKind::stacked_bars;
}

}  // namespace

std::string number(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

double text_width(std::string_view text) {
    return 7.4 *
           static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string fitted(std::string_view text, double wanted) {
    if (text_width(text) <= wanted) {
        return std::string(text);
    }
    std::size_t end = 0;
    while (end < text.size() && text_width(text.substr(0, end)) < wanted - 7) {
        ++end;
        while (end < text.size() && is_continuation(text[end])) {
            ++end;
        }
    }
    return std::string(text.substr(0, end)) + "\xE2\x80\xA6";
}

std::string text_at(double x, double y, std::string_view css, std::string_view anchor, std::string_view text,
                    const std::string& extra) {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" class=\"" + std::string(css) + "\" text-anchor=\"" +
           std::string(anchor) + "\"" + extra + ">" + html_text(text) + "</text>";
}

std::string line(double x1, double y1, double x2, double y2, std::string_view css) {
    return path(css, "M" + number(x1) + " " + number(y1) + "L" + number(x2) + " " + number(y2));
}

std::string described(std::string_view title, const std::string& marks) {
    return "<g class=\"mark\"><title>" + html_text(title) + "</title>" + marks + "</g>\n";
}

std::string point_title(const Figure& figure, const Series& series, const Point& point) {
    std::string title = point.label;
    title += series.name.empty() ? "" : ", " + series.name;
    if (!point.y) {
        return title + ": n/a (" + point.reason + ")";
    }
    title += ": " + value_text(*point.y, figure.y_unit);
    title += point.interval ? " (95 %: " + interval_text(*point.interval, figure.y_unit) + ")" : "";
    return title + (point.detail.empty() ? "" : ", " + point.detail);
}

std::string shape(std::size_t series, double x, double y, double radius) {
    const std::string css = "f" + std::to_string(series % colours) + " dot";
    switch (series % colours) {
        case 0:
            return "<circle class=\"" + css + "\" cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"" +
                   number(radius) + "\"/>";
        case 1:
            return polygon(css, x, y, radius, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
        case 2:
            return polygon(css, x, y, radius, {{0, -1.2}, {1.15, 0.85}, {-1.15, 0.85}});
        case 3:
            return polygon(css, x, y, radius, {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
        case 4:
            return polygon(css, x, y, radius, {{-1.15, -0.85}, {1.15, -0.85}, {0, 1.2}});
        case 5:
            return polygon(css, x, y, radius,
                           {{-0.4, -1.2},
                            {0.4, -1.2},
                            {0.4, -0.4},
                            {1.2, -0.4},
                            {1.2, 0.4},
                            {0.4, 0.4},
                            {0.4, 1.2},
                            {-0.4, 1.2},
                            {-0.4, 0.4},
                            {-1.2, 0.4},
                            {-1.2, -0.4},
                            {-0.4, -0.4}});
        case 6:
            return polygon(css, x, y, radius, {{0, -1.2}, {1.15, -0.3}, {0.7, 1.05}, {-0.7, 1.05}, {-1.15, -0.3}});
        default:
            return polygon(css, x, y, radius, {{-1.1, -1.1}, {1.1, 1.1}, {1.1, -1.1}, {-1.1, 1.1}});
    }
}

std::string bar(const Canvas& canvas, std::size_t series, double x, double y, double bar_width, double height) {
    const std::size_t colour = series % colours;
    const std::string fill =
        colour == 0 ? "" : " fill=\"url(#" + html_text(canvas.id) + "-h" + std::to_string(colour) + ")\"";
    return "<rect class=\"" + std::string(colour == 0 ? "f0" : "hatched") + "\"" + fill + " x=\"" + number(x) +
           "\" y=\"" + number(y) + "\" width=\"" + number(bar_width) + "\" height=\"" + number(height) + "\"/>";
}

std::string hatches(const Canvas& canvas) {
    std::string defs = "<defs>";
    for (std::size_t colour = 1; colour < std::min(colours, canvas.figure.series.size()); ++colour) {
        defs += "<pattern id=\"" + html_text(canvas.id) + "-h" + std::to_string(colour) +
                "\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect class=\"f" + std::to_string(colour) +
                "\" width=\"8\" height=\"8\"/>" + path("hatch", hatch_paths.at(colour)) + "</pattern>";
    }
    return defs + "</defs>\n";
}

std::string whisker_across(double x1, double x2, double y) {
    return line(x1, y, x2, y, "whisker") + line(x1, y - 3, x1, y + 3, "whisker") +
           line(x2, y - 3, x2, y + 3, "whisker");
}

std::string whisker_up(double x, double y1, double y2) {
    return line(x, y1, x, y2, "whisker") + line(x - 3, y1, x + 3, y1, "whisker") +
           line(x - 3, y2, x + 3, y2, "whisker");
}

Legend legend_of(const Canvas& canvas, double left) {
    Legend legend;
    if (canvas.figure.series.size() < 2) {
        return legend;
    }
    double x = left;
    double y = 16;
    for (std::size_t i = 0; i < canvas.figure.series.size(); ++i) {
        const std::string name = fitted(canvas.figure.series.at(i).name, canvas.width * 0.7);
        const double item = 22 + text_width(name) + 20;
        if (x > left && x + item > canvas.width) {
            x = left;
            y += 22;
        }
        legend.marks += has_bars(canvas.figure) ? bar(canvas, i, x, y - 10, 14, 12) : shape(i, x + 7, y - 4);
        legend.marks += text_at(x + 22, y, "key", "start", name) + "\n";
        x += item;
    }
    legend.height = y + 16;
    return legend;
}

Range range_of(const Figure& figure) {
    std::vector<double> values;
    for (const Series& series : figure.series) {
        for (const Point& point : series.points) {
            if (point.y) {
                values.push_back(*point.y);
            }
            if (point.y && point.interval) {
                values.push_back(point.interval->low);
                values.push_back(point.interval->high);
            }
        }
    }
    if (values.empty()) {
        return {};
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {*least, *most};
}

std::string framed(const Canvas& canvas, double height, const std::string& marks) {
    const std::string id = html_text(canvas.id);
    return "<svg class=\"" + std::string(canvas.narrow ? "narrow" : "wide") + "\" role=\"img\" aria-labelledby=\"" +
           id + "-t " + id + "-d\" viewBox=\"0 0 " + number(canvas.width) + " " + number(height) + "\" width=\"" +
           number(canvas.width) + "\" height=\"" + number(height) + "\">\n<title id=\"" + id + "-t\">" +
           html_text(canvas.figure.title) + "</title><desc id=\"" + id + "-d\">" + html_text(canvas.figure.about) +
           "</desc>\n" + marks + "</svg>\n";
}

}  // namespace pasb::svg
