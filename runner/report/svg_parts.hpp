// Pieces that all figures draw with: text, lines, marks of a series, legend, frame. Private to the figures.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/axis.hpp"
#include "report/document.hpp"

namespace pasb::svg {

// What is drawn and how much room there is; the id tells the two drawings of a figure apart.
struct Canvas {
    const Figure& figure;
    std::string id;
    double width = 760;
    bool narrow = false;
};

struct Area {
    double left = 0;
    double right = 0;
    double top = 0;
    double bottom = 0;
};

// Attribute value with one digit after the point.
std::string number(double value);

// About how wide a text is in the figures' 13-pixel font.
double text_width(std::string_view text);

// Cut to the wanted width with an ellipsis.
std::string fitted(std::string_view text, double wanted);

// `anchor`: start, middle or end. `extra`: further attributes.
std::string text_at(double x, double y, std::string_view css, std::string_view anchor, std::string_view text,
                    const std::string& extra = "");

std::string line(double x1, double y1, double x2, double y2, std::string_view css);

// What a pointer on the mark and a screen reader say.
std::string described(std::string_view title, const std::string& marks);

// "Hermes, sim:adopter: 42.3 % (95 %: 30.1 to 55.2 %), 12 of 48 runs".
std::string point_title(const Figure& figure, const Series& series, const Point& point);

// The shape of a series around its centre, for dots, scatter and lines.
std::string shape(std::size_t series, double x, double y, double radius = 5);

std::string bar(const Canvas& canvas, std::size_t series, double x, double y, double bar_width, double height);

// Definitions of the hatches that bars are filled with.
std::string hatches(const Canvas& canvas);

// An interval along x at height y, or along y at x.
std::string whisker_across(double x1, double x2, double y);
std::string whisker_up(double x, double y1, double y2);

struct Legend {
    std::string marks;
    double height = 0;  // 0 for a single series, which needs none
};
Legend legend_of(const Canvas& canvas, double left);

// Least and greatest of the y values and their intervals; 0 and 0 where there are none.
struct Range {
    double least = 0;
    double most = 0;
};
Range range_of(const Figure& figure);

// The element around the marks, with title and description for those who cannot see it.
std::string framed(const Canvas& canvas, double height, const std::string& marks);

}  // namespace pasb::svg
