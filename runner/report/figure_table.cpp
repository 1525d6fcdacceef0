#include "report/figure_table.hpp"

#include <algorithm>

#include "report/text_form.hpp"

namespace pasb {
namespace {

Cell number_cell(const std::optional<double>& value, const std::string& reason) {
    return value ? Cell(*value) : Cell(NotAvailable{reason.empty() ? "not given" : reason});
}

std::vector<Cell> row_of(const Figure& figure, const Series& series, const Point& point) {
    std::vector<Cell> row{point.label, series.name};
    if (figure.kind == FigureKind::scatter) {
        row.push_back(number_cell(point.x, point.reason));
    }
    row.push_back(number_cell(point.y, point.reason));
    row.emplace_back(point.interval ? interval_text(*point.interval, figure.y_unit) : std::string());
    row.emplace_back(point.detail);
    return row;
}

}  // namespace

Table figure_table(const Figure& figure) {
    Table table;
    table.id = figure.id + "-data";
    table.title = figure.title;
    table.about = figure.about;
    table.remarks = figure.remarks;
    table.columns = {{"label", "Label", Unit::text}, {"series", "Series", Unit::text}};
    if (figure.kind == FigureKind::scatter) {
        table.columns.push_back({"x", figure.x_title, figure.x_unit});
    }
    table.columns.push_back({"y", figure.y_title, figure.y_unit});
    table.columns.push_back({"interval", "95 % interval", Unit::text});
    table.columns.push_back({"detail", "From", Unit::text});
    for (const std::string& label : labels_of(figure)) {
        for (const Series& series : figure.series) {
            for (const Point& point : series.points) {
                if (point.label == label) {
                    table.rows.push_back(row_of(figure, series, point));
                }
            }
        }
    }
    return table;
}

std::vector<std::string> labels_of(const Figure& figure) {
    std::vector<std::string> labels;
    for (const Series& series : figure.series) {
        for (const Point& point : series.points) {
            if (std::find(labels.begin(), labels.end(), point.label) == labels.end()) {
                labels.push_back(point.label);
            }
        }
    }
    return labels;
}

const Point* point_at(const Series& series, const std::string& label) {
    const auto found = std::find_if(series.points.begin(), series.points.end(),
                                    [&](const Point& point) { return point.label == label; });
    return found == series.points.end() ? nullptr : &*found;
}

}  // namespace pasb
