// The report as data: tables, figures and what they were made from, before it is written as a page, as Markdown, CSV or
// JSON. Holds no run's text; runs are in report/run_story.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "stats/estimate.hpp"

namespace pasb {

inline constexpr std::string_view report_schema = "pasb.report/1";

// How the numbers of a column are to be read and printed.
enum class Unit {
    text,
    count,       // whole number
    share,       // fraction, printed in percent
    difference,  // difference of fractions, printed in percentage points with its sign
    score,       // mean on the Likert scale 1 to 5
    seconds,
    bytes,
    p_value,
    coefficient,  // of agreement: 1 is perfect, 0 is chance
};

std::string_view to_string(Unit unit);

struct NotAvailable {
    std::string reason;
};

// Text, a bare number, a number with its uncertainty, or the reason why there is none.
using Cell = std::variant<std::string, double, Estimate, NotAvailable>;

struct Column {
    std::string key;    // [a-z0-9_]+, as in CSV heads and report.json
    std::string label;  // for people
    Unit unit = Unit::text;
};

struct Table {
    std::string id;  // [a-z0-9-]+: file name and anchor
    std::string title;
    std::string about;  // what it shows and by which rule, with the source ("spec section 6")
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;  // as long as columns
    std::vector<std::string> remarks;     // what is missing or odd in it
};

// A value of a figure with its interval; no value is drawn as "n/a" with the reason.
struct Point {
    std::string label;        // category on the axis, or name of the dot
    std::optional<double> x;  // scatter only
    std::optional<double> y;
    std::optional<Interval> interval;  // of y
    std::string reason;                // why y is missing
    std::string detail;                // "12 of 48 runs", for tooltip and table
};

struct Series {
    std::string name;
    std::vector<Point> points;
};

enum class FigureKind {
    grouped_bars,  // a group a label, a bar a series
    stacked_bars,  // a bar a label, a piece a series; pieces are shares that sum to 1
    dots,          // a row a label, a dot with interval a series
    scatter,       // x against y
    lines,         // a line a series, over ordered labels
};

std::string_view to_string(FigureKind kind);

struct Figure {
    std::string id;  // [a-z0-9-]+
    std::string title;
    std::string about;
    FigureKind kind = FigureKind::grouped_bars;
    std::string x_title;
    std::string y_title;
    Unit x_unit = Unit::text;  // scatter only
    Unit y_unit = Unit::share;
    std::vector<Series> series;
    std::vector<std::string> remarks;
};

// A file that the numbers come from.
struct Input {
    std::string path;  // relative to the report's folder, or as given
    std::size_t bytes = 0;
    std::size_t lines = 0;
    std::string sha256;
};

// How a report was made: with these anyone can make it again from the same files.
struct Settings {
    std::vector<std::string> folders;  // relative to the report's folder
    std::string out;                   // the first of them as it was named, for the commands that the page shows
    std::uint64_t seed = 1;
    std::size_t replicates = 2000;  // of the bootstrap
    std::size_t readers = 0;        // most runs that have a reader in the page
};

struct Document {
    std::string title;
    Settings settings;
    bool simulated = false;                // some number comes from a simulated model, judge or annotator
    std::vector<std::string> simulations;  // which: "model sim:adopter", "judge sim:lexical"
    std::string judge;                     // name and repeat that the tables use; empty: nothing judged
    std::string annotator;                 // empty: nothing annotated
    std::vector<std::string> measured;     // what was measured, in plain sentences
    std::vector<std::string> found;        // what was found, in plain sentences, with the numbers
    std::vector<std::pair<std::string, std::string>> facts;  // head of the page: label, value
    std::vector<std::string> warnings;                       // findings that a reader must know first
    std::vector<Table> tables;                               // in order; the validity funnel among them
    std::vector<Figure> figures;                             // in order
    std::vector<Input> inputs;
};

}  // namespace pasb
