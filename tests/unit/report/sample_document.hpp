// A document with one of everything, for the tests of its forms.
#pragma once

#include "report/document.hpp"

namespace pasb {

inline const std::string hostile_text = "<b onload=\"x\">|</script> & 'q'\n\x1b[31m\xE2\x80\xAE\xE2\x80\xA8";

inline Estimate sample_estimate() {
    Estimate estimate;
    estimate.value = 1.0 / 3;
    estimate.numerator = 16.25;
    estimate.denominator = 48;
    estimate.clusters = 12;
    estimate.wilson.interval = Interval{0.2, 0.5};
    estimate.cluster_robust.reason = "one base item only";
    estimate.bootstrap.interval = Interval{0.1, 0.6};
    estimate.p_value = 0.04;
    return estimate;
}

inline Table sample_table() {
    Table table;
    table.id = "rates";
    table.title = "Rates";
    table.about = "about";
    table.columns = {{"name", "Name", Unit::text}, {"rate", "Rate", Unit::share}, {"n", "Runs", Unit::count}};
    Estimate missing;
    missing.reason = "no runs";
    table.rows = {{hostile_text, sample_estimate(), 1600.0},
                  {"=SUM(A1)", missing, NotAvailable{"not judged"}},
                  {"a, \"b\"", 0.5, -3.0}};
    table.remarks = {"a remark"};
    return table;
}

inline Figure sample_figure(FigureKind kind) {
    Figure figure;
    figure.id = "figure";
    figure.title = "Figure of " + hostile_text;
    figure.about = "about";
    figure.kind = kind;
    figure.x_title = "x";
    figure.y_title = "y";
    figure.x_unit = Unit::share;
    figure.y_unit = Unit::share;
    figure.series = {
        {"one", {{"first", 0.25, 0.5, Interval{0.4, 0.6}, "", "24 of 48"}, {hostile_text, 0.5, 1.0, {}, "", ""}}},
        {"two", {{"first", 0.75, 0.25, {}, "", ""}, {"third", {}, {}, {}, "nothing was judged", ""}}}};
    return figure;
}

inline Document sample_document() {
    Document document;
    document.title = "Report";
    document.simulated = true;
    document.simulations = {"model sim:adopter"};
    document.judge = "sim:lexical";
    document.measured = {"It was measured."};
    document.found = {"It was found."};
    document.facts = {{"Runs", "3"}};
    document.warnings = {"A warning " + hostile_text};
    document.tables = {sample_table()};
    document.figures = {sample_figure(FigureKind::grouped_bars), sample_figure(FigureKind::scatter)};
    document.inputs = {{"records.jsonl", 10, 2, "ab"}};
    return document;
}

}  // namespace pasb
