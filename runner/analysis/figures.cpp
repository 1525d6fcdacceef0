#include "analysis/figures.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <utility>

#include "report/text_form.hpp"

namespace pasb {
namespace {

const Table& table_of(const std::vector<Table>& tables, const std::string& id) {
    const auto found = std::find_if(tables.begin(), tables.end(), [&id](const Table& table) { return table.id == id; });
    if (found == tables.end()) {
        throw std::invalid_argument("no table " + id);
    }
    return *found;
}

std::size_t column_of(const Table& table, const std::string& key) {
    const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&key](const Column& column) { return column.key == key; });
    if (found == table.columns.end()) {
        throw std::invalid_argument("no column " + key + " in table " + table.id);
    }
    return static_cast<std::size_t>(found - table.columns.begin());
}

using Row = std::vector<Cell>;

std::string text_of(const Row& row, std::size_t column) {
    return std::get<std::string>(row.at(column));
}

Point point_of(const std::string& label, const Cell& cell, Unit unit) {
    Point point;
    point.label = label;
    if (const auto* estimate = std::get_if<Estimate>(&cell)) {
        point.y = estimate->value;
        point.reason = estimate->reason;
        if (const auto headline = headline_interval(*estimate, unit)) {
            point.interval = headline->interval;
        }
        point.detail = count_text(*estimate, unit);
    } else if (const auto* missing = std::get_if<NotAvailable>(&cell)) {
        point.reason = missing->reason;
    }
    return point;
}

// Points of one column over the rows that `wanted` takes, labelled by `label`.
Series series_of(const Table& table, const std::string& name, const std::string& key,
                 const std::function<bool(const Row&)>& wanted, std::size_t label) {
    Series series{name, {}};
    const std::size_t column = column_of(table, key);
    for (const Row& row : table.rows) {
        if (wanted(row)) {
            series.points.push_back(point_of(text_of(row, label), row.at(column), table.columns.at(column).unit));
        }
    }
    return series;
}

// Some columns of one row, labelled by their heads.
Series row_series(const Table& table, const Row& row, const std::string& name,
                  std::initializer_list<const char*> keys) {
    Series series{name, {}};
    for (const char* key : keys) {
        const std::size_t column = column_of(table, key);
        series.points.push_back(
            point_of(table.columns.at(column).label, row.at(column), table.columns.at(column).unit));
    }
    return series;
}

bool is_combination(const Row& row) {
    return text_of(row, 0) != "all";
}

Figure stacked(const Table& table, const std::string& id, const std::string& title, const std::string& about,
               const std::vector<std::pair<std::string, std::string>>& pieces) {
    Figure figure;
    figure.id = id;
    figure.title = title;
    figure.about = about;
    figure.kind = FigureKind::stacked_bars;
    figure.x_title = "Model and framework";
    figure.y_title = "Share of runs";
    for (const auto& [name, key] : pieces) {
        figure.series.push_back(series_of(table, name, key, is_combination, 0));
    }
    return figure;
}

Figure destinations_figure(const std::vector<Table>& tables) {
    return stacked(
        table_of(tables, "destinations"), "destinations", "Where the claim went",
        "Share of valid runs by destination of the claim, for each combination.",
        {{"skill", "skill"}, {"memory", "memory"}, {"user profile", "user"}, {"session-only", "session_only"}});
}

Figure stance_figure(const std::vector<Table>& tables) {
    return stacked(table_of(tables, "stance-by-combination"), "stance",
                   "How the agent took the claim in the first chat",
                   "Share of annotated runs by the strongest acceptance over five answers, for each combination.",
                   {{"challenge", "challenge"},
                    {"neutral", "neutral"},
                    {"acknowledge", "acknowledge"},
                    {"agree", "agree"},
                    {"comply", "comply"}});
}

// Save rates by the combination's name, from the table of destinations.
std::optional<double> save_rate(const Table& destinations, const std::string& combination) {
    const std::size_t column = column_of(destinations, "session_only");
    for (const Row& row : destinations.rows) {
        if (text_of(row, 0) == combination) {
            const auto* estimate = std::get_if<Estimate>(&row.at(column));
            return estimate != nullptr && estimate->value ? std::optional(1 - *estimate->value) : std::nullopt;
        }
    }
    return std::nullopt;
}

// The gap of each combination against the share of its runs that saved.
Figure gap_figure(const std::vector<Table>& tables, const Table& gaps, const std::string& name,
                  const std::function<bool(const Row&)>& wanted) {
    Figure figure;
    figure.kind = FigureKind::scatter;
    figure.x_title = "Share of runs that saved";
    figure.y_title = "Gap";
    figure.x_unit = Unit::share;
    figure.y_unit = Unit::difference;
    figure.series.push_back(series_of(gaps, name, "gap", wanted, 1));
    for (Point& point : figure.series.front().points) {
        point.x = save_rate(table_of(tables, "destinations"), point.label);
    }
    return figure;
}

// The paper's figure is of the Sycophancy metric; downstream failure stands in one of its own beside it.
Figure sycophancy_gap_figure(const std::vector<Table>& tables) {
    Figure figure = gap_figure(tables, table_of(tables, "gap-by-metric"), "Sycophancy", [](const Row& row) {
        return text_of(row, 0) == "combination" && text_of(row, 2) == "Sycophancy";
    });
    figure.id = "gap";
    figure.title = "Sycophancy gap against save rate";
    figure.about =
        "Sycophancy failure of saved minus session-only runs (pooled) against the share of runs that saved, one "
        "dot a combination. A combination that saves always or never has no gap. Paper: 12.4 to 58.6 pp.";
    return figure;
}

Figure downstream_gap_figure(const std::vector<Table>& tables) {
    Figure figure = gap_figure(tables, table_of(tables, "gap"), "DF",
                               [](const Row& row) { return text_of(row, 0) == "combination"; });
    figure.id = "gap-df";
    figure.title = "Downstream failure gap against save rate";
    figure.about =
        "Persistent sycophancy: downstream failure of saved minus session-only runs (pooled) against the share of "
        "runs that saved, one dot a combination.";
    return figure;
}

std::vector<std::string> values_of(const Table& table, std::size_t column) {
    std::vector<std::string> values;
    for (const Row& row : table.rows) {
        if (std::find(values.begin(), values.end(), text_of(row, column)) == values.end()) {
            values.push_back(text_of(row, column));
        }
    }
    // Over all frameworks only where there is one: else each has its own marks.
    if (values.size() > 1) {
        values.erase(std::remove(values.begin(), values.end(), "all"), values.end());
    }
    return values;
}

// Several columns of a factor table, each for each framework, over the factor's levels.
Figure factor_figure(const Table& table, const std::string& id, const std::string& title, const std::string& about,
                     const std::vector<std::pair<std::string, std::string>>& measures) {
    Figure figure;
    figure.id = id;
    figure.title = title;
    figure.about = about;
    figure.kind = FigureKind::dots;
    figure.x_title = table.columns.front().label;
    figure.y_title = "Share of runs";
    for (const std::string& framework : values_of(table, 1)) {
        for (const auto& [name, key] : measures) {
            const std::string label = measures.size() == 1 ? framework : framework + ", " + name;
            figure.series.push_back(series_of(
                table, label, key, [&framework](const Row& row) { return text_of(row, 1) == framework; }, 0));
        }
    }
    return figure;
}

Figure metrics_figure(const std::vector<Table>& tables, const std::string& framework) {
    const Table& table = table_of(tables, "by-scenario");
    Figure figure;
    figure.id = "metrics-" + framework;
    figure.title = "Metrics by scenario, " + framework;
    figure.about = "Failure rate of each metric by the scenario that voiced the claim.";
    figure.kind = FigureKind::grouped_bars;
    figure.x_title = "Metric";
    figure.y_title = "Failing runs";
    for (const Row& row : table.rows) {
        if (text_of(row, 1) != framework) {
            continue;
        }
        figure.series.push_back(
            row_series(table, row, text_of(row, 0),
                       {"sycophancy", "leak", "upgrade", "amplification", "persistence", "escalation"}));
    }
    return figure;
}

Figure cross_domain_figure(const std::vector<Table>& tables) {
    const Table& table = table_of(tables, "gap-by-metric");
    Figure figure;
    figure.id = "cross-domain";
    figure.title = "Cross-domain tasks: saved and session-only";
    figure.about = "Failure rate of each metric in the CDL family, whose follow-up moves to another domain.";
    figure.kind = FigureKind::grouped_bars;
    figure.x_title = "Metric";
    figure.y_title = "Failing runs";
    const auto is_cdl = [](const Row& row) { return text_of(row, 0) == "family" && text_of(row, 1) == "CDL"; };
    figure.series.push_back(series_of(table, "saved", "saved", is_cdl, 2));
    figure.series.push_back(series_of(table, "session-only", "session_only", is_cdl, 2));
    if (figure.series.front().points.empty()) {
        figure.remarks.emplace_back("No task of the CDL family was run.");
    }
    return figure;
}

Figure curve_figure(const std::vector<Table>& tables) {
    const Table& table = table_of(tables, "answers");
    Figure figure;
    figure.id = "answers";
    figure.title = "Along the three answers";
    figure.about = "Failure rate of each follow-up answer alone, over all runs.";
    figure.kind = FigureKind::lines;
    figure.x_title = "Follow-up answer";
    figure.y_title = "Failing answers";
    for (const Row& row : table.rows) {
        if (text_of(row, 0) != "all") {
            continue;
        }
        figure.series.push_back(row_series(table, row, text_of(row, 1), {"answer_1", "answer_2", "answer_3"}));
    }
    return figure;
}

}  // namespace

std::vector<Figure> figures_of(const std::vector<Table>& tables) {
    std::vector<Figure> figures{destinations_figure(tables), sycophancy_gap_figure(tables),
                                downstream_gap_figure(tables)};
    for (const std::string& framework : values_of(table_of(tables, "by-scenario"), 1)) {
        figures.push_back(metrics_figure(tables, framework));
    }
    const std::vector<std::pair<std::string, std::string>> save_and_fail{{"saved", "commit"}, {"DF", "df"}};
    figures.push_back(factor_figure(table_of(tables, "by-scenario"), "scenario", "Save rate and DF by scenario",
                                    "Share of valid runs that saved the claim, and downstream failure.",
                                    save_and_fail));
    figures.push_back(factor_figure(table_of(tables, "by-delivery"), "delivery", "Save rate and DF by delivery",
                                    "Share of valid runs that saved the claim, and downstream failure.",
                                    save_and_fail));
    figures.push_back(cross_domain_figure(tables));
    figures.push_back(stance_figure(tables));
    figures.push_back(curve_figure(tables));
    return figures;
}

}  // namespace pasb
