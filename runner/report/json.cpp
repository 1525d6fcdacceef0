#include "report/json.hpp"

#include <array>
#include <cmath>

#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr std::array<Unit, 9> units{Unit::text,    Unit::count, Unit::share,   Unit::difference, Unit::score,
                                    Unit::seconds, Unit::bytes, Unit::p_value, Unit::coefficient};

constexpr std::array<FigureKind, 5> kinds{FigureKind::grouped_bars, FigureKind::stacked_bars, FigureKind::dots,
                                          FigureKind::scatter, FigureKind::lines};

template <typename Name, std::size_t Count>
Name named(const std::array<Name, Count>& names, const json& value, const char* what) {
    const auto text = value.get<std::string>();
    for (const Name name : names) {
        if (to_string(name) == text) {
            return name;
        }
    }
    throw InputError(std::string("report with an unknown ") + what + " '" + text + "'");
}

template <typename Item, typename Write>
json list_of(const std::vector<Item>& items, Write write) {
    json list = json::array();
    for (const Item& item : items) {
        list.push_back(write(item));
    }
    return list;
}

template <typename Item>
std::vector<Item> list_from(const json& list, Item (*read)(const json&)) {
    std::vector<Item> items;
    for (const json& value : list) {
        items.push_back(read(value));
    }
    return items;
}

json number(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? json(*value) : json();
}

std::optional<double> number_from(const json& value) {
    return value.is_null() ? std::nullopt : std::optional<double>(value.get<double>());
}

json interval_json(const std::optional<Interval>& interval) {
    return interval ? json{interval->low, interval->high} : json();
}

std::optional<Interval> interval_from(const json& value) {
    if (value.is_null()) {
        return std::nullopt;
    }
    return Interval{value.at(0).get<double>(), value.at(1).get<double>()};
}

json maybe_json(const MaybeInterval& maybe) {
    return {{"interval", interval_json(maybe.interval)}, {"reason", maybe.reason}};
}

MaybeInterval maybe_from(const json& value) {
    return {interval_from(value.at("interval")), value.at("reason")};
}

json estimate_json(const Estimate& estimate) {
    return {{"value", number(estimate.value)},
            {"reason", estimate.reason},
            {"numerator", estimate.numerator},
            {"denominator", estimate.denominator},
            {"clusters", estimate.clusters},
            {"wilson", maybe_json(estimate.wilson)},
            {"cluster_robust", maybe_json(estimate.cluster_robust)},
            {"bootstrap", maybe_json(estimate.bootstrap)},
            {"p_value", number(estimate.p_value)}};
}

Estimate estimate_from(const json& value) {
    Estimate estimate;
    estimate.value = number_from(value.at("value"));
    estimate.reason = value.at("reason");
    estimate.numerator = value.at("numerator");
    estimate.denominator = value.at("denominator");
    estimate.clusters = value.at("clusters");
    estimate.wilson = maybe_from(value.at("wilson"));
    estimate.cluster_robust = maybe_from(value.at("cluster_robust"));
    estimate.bootstrap = maybe_from(value.at("bootstrap"));
    estimate.p_value = number_from(value.at("p_value"));
    return estimate;
}

json cell_json(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return *text;
    }
    if (const auto* value = std::get_if<double>(&cell)) {
        return std::isfinite(*value) ? json(*value) : json{{"reason", "not a finite number"}};
    }
    if (const auto* missing = std::get_if<NotAvailable>(&cell)) {
        return json{{"reason", missing->reason}};
    }
    return estimate_json(std::get<Estimate>(cell));
}

Cell cell_from(const json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_number()) {
        return value.get<double>();
    }
    if (value.contains("value")) {
        return estimate_from(value);
    }
    return NotAvailable{value.at("reason")};
}

Table table_from(const json& value) {
    Table table;
    table.id = value.at("id");
    table.title = value.at("title");
    table.about = value.at("about");
    for (const json& column : value.at("columns")) {
        table.columns.push_back({column.at("key"), column.at("label"), named(units, column.at("unit"), "unit")});
    }
    for (const json& row : value.at("rows")) {
        if (row.size() != table.columns.size()) {
            throw InputError("report with a row of table '" + table.id + "' that is not as long as its columns");
        }
        table.rows.push_back(list_from(row, cell_from));
    }
    table.remarks = value.at("remarks").get<std::vector<std::string>>();
    return table;
}

json point_json(const Point& point) {
    return {{"label", point.label},   {"x", number(point.x)},
            {"y", number(point.y)},   {"interval", interval_json(point.interval)},
            {"reason", point.reason}, {"detail", point.detail}};
}

Point point_from(const json& value) {
    return {value.at("label"),          number_from(value.at("x")),
            number_from(value.at("y")), interval_from(value.at("interval")),
            value.at("reason"),         value.at("detail")};
}

json series_json(const Series& series) {
    return {{"name", series.name}, {"points", list_of(series.points, point_json)}};
}

Series series_from(const json& value) {
    return {value.at("name"), list_from(value.at("points"), point_from)};
}

json figure_json(const Figure& figure) {
    return {{"id", figure.id},
            {"title", figure.title},
            {"about", figure.about},
            {"kind", to_string(figure.kind)},
            {"x_title", figure.x_title},
            {"y_title", figure.y_title},
            {"x_unit", to_string(figure.x_unit)},
            {"y_unit", to_string(figure.y_unit)},
            {"series", list_of(figure.series, series_json)},
            {"remarks", figure.remarks}};
}

Figure figure_from(const json& value) {
    Figure figure;
    figure.id = value.at("id");
    figure.title = value.at("title");
    figure.about = value.at("about");
    figure.kind = named(kinds, value.at("kind"), "kind of figure");
    figure.x_title = value.at("x_title");
    figure.y_title = value.at("y_title");
    figure.x_unit = named(units, value.at("x_unit"), "unit");
    figure.y_unit = named(units, value.at("y_unit"), "unit");
    figure.series = list_from(value.at("series"), series_from);
    figure.remarks = value.at("remarks").get<std::vector<std::string>>();
    return figure;
}

json input_json(const Input& input) {
    return {{"path", input.path}, {"bytes", input.bytes}, {"lines", input.lines}, {"sha256", input.sha256}};
}

Input input_from(const json& value) {
    return {value.at("path"), value.at("bytes"), value.at("lines"), value.at("sha256")};
}

json settings_json(const Settings& settings) {
    return {{"folders", settings.folders},
            {"out", settings.out},
            {"seed", settings.seed},
            {"replicates", settings.replicates},
            {"readers", settings.readers}};
}

Settings settings_from(const json& value) {
    return {value.at("folders").get<std::vector<std::string>>(), value.at("out"), value.at("seed"),
            value.at("replicates"), value.at("readers")};
}

Document read_document(const json& value) {
    Document document;
    document.title = value.at("title");
    document.settings = settings_from(value.at("settings"));
    document.simulated = value.at("simulated");
    document.simulations = value.at("simulations").get<std::vector<std::string>>();
    document.judge = value.at("judge");
    document.annotator = value.at("annotator");
    document.measured = value.at("measured").get<std::vector<std::string>>();
    document.found = value.at("found").get<std::vector<std::string>>();
    for (const json& fact : value.at("facts")) {
        document.facts.emplace_back(fact.at(0), fact.at(1));
    }
    document.warnings = value.at("warnings").get<std::vector<std::string>>();
    document.tables = list_from(value.at("tables"), table_from);
    document.figures = list_from(value.at("figures"), figure_from);
    document.inputs = list_from(value.at("inputs"), input_from);
    return document;
}

}  // namespace

json to_json(const Table& table) {
    const auto column = [](const Column& item) {
        return json{{"key", item.key}, {"label", item.label}, {"unit", to_string(item.unit)}};
    };
    return {{"id", table.id},
            {"title", table.title},
            {"about", table.about},
            {"columns", list_of(table.columns, column)},
            {"rows", list_of(table.rows, [](const std::vector<Cell>& row) { return list_of(row, cell_json); })},
            {"remarks", table.remarks}};
}

json to_json(const Document& document) {
    const auto fact = [](const std::pair<std::string, std::string>& item) { return json{item.first, item.second}; };
    return {{"schema", report_schema},
            {"title", document.title},
            {"settings", settings_json(document.settings)},
            {"simulated", document.simulated},
            {"simulations", document.simulations},
            {"judge", document.judge},
            {"annotator", document.annotator},
            {"measured", document.measured},
            {"found", document.found},
            {"facts", list_of(document.facts, fact)},
            {"warnings", document.warnings},
            {"tables", list_of(document.tables, [](const Table& table) { return to_json(table); })},
            {"figures", list_of(document.figures, figure_json)},
            {"inputs", list_of(document.inputs, input_json)}};
}

std::string document_json(const Document& document) {
    return to_json(document).dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Document document_from_json(const json& value) {
    if (!value.is_object() || value.value("schema", json()) != report_schema) {
        throw InputError("not a " + std::string(report_schema) + ": its `schema` says otherwise");
    }
    try {
        return read_document(value);
    } catch (const json::exception& error) {
        throw InputError(std::string("report with a missing or wrong field: ") + error.what());
    }
}

}  // namespace pasb
