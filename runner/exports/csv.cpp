#include "exports/columns.hpp"
#include "exports/exporter.hpp"
#include "model/bytes.hpp"
#include "model/utf8.hpp"

namespace pasb {
namespace {

using nlohmann::json;

// What a spreadsheet takes for the beginning of a formula, the full-width forms too.
bool begins_formula(std::string_view text) {
    if (text.empty()) {
        return false;
    }
    std::size_t at = 0;
    switch (next_code_point(text, at)) {
        case '=':
        case '+':
        case '-':
        case '@':
        case '\t':
        case '\n':
        case 0xFF1D:
        case 0xFF0B:
        case 0xFF0D:
        case 0xFF20:
            return true;
        default:
            return false;
    }
}

// Controls are shown and not written, so that a lone carriage return or a NUL splits no row.
std::string text_cell(const std::string& bytes) {
    const std::string shown = terminal_text(bytes);
    std::string cell = begins_formula(shown) ? "'" + shown : shown;
    if (cell.find_first_of("\",\n\r") == std::string::npos) {
        return cell;
    }
    for (std::size_t at = cell.find('"'); at != std::string::npos; at = cell.find('"', at + 2)) {
        cell.insert(at, 1, '"');
    }
    return '"' + cell + '"';
}

std::string cell_text(const json& value) {
    if (value.is_null()) {
        return {};
    }
    return value.is_string() ? text_cell(value.get_ref<const std::string&>()) : value.dump();
}

template <typename View>
std::string head(const std::vector<Column<View>>& columns) {
    std::string line;
    for (const Column<View>& column : columns) {
        line += (line.empty() ? "" : ",") + column.name;
    }
    return line + "\r\n";
}

template <typename View>
std::string row(const std::vector<Column<View>>& columns, const View& view) {
    std::string line;
    for (const Column<View>& column : columns) {
        line += (&column == &columns.front() ? "" : ",") + cell_text(column.cell(view));
    }
    return line + "\r\n";
}

class CsvExporter : public Exporter {
  public:
    explicit CsvExporter(OutputFiles& files) : runs_(files.open("runs.csv")), turns_(files.open("turns.csv")) {
        runs_(head(run_columns()));
        turns_(head(turn_columns()));
    }

    void add(const JudgedRun& run) override {
        const RunView view{run, scores_of(run)};
        runs_(row(run_columns(), view));
        for_each_turn(view, [this](const TurnView& turn) { turns_(row(turn_columns(), turn)); });
    }

    void finish() override {}

  private:
    Sink runs_;
    Sink turns_;
};

}  // namespace

std::unique_ptr<Exporter> csv_exporter(OutputFiles& files) {
    return std::make_unique<CsvExporter>(files);
}

}  // namespace pasb
