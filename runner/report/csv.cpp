#include "report/csv.hpp"

#include <algorithm>
#include <array>

#include "model/bytes.hpp"
#include "report/text_form.hpp"

namespace pasb {
namespace {

constexpr std::array<const char*, 12> suffixes{"",
                                               "_numerator",
                                               "_denominator",
                                               "_clusters",
                                               "_wilson_low",
                                               "_wilson_high",
                                               "_cluster_low",
                                               "_cluster_high",
                                               "_bootstrap_low",
                                               "_bootstrap_high",
                                               "_p",
                                               "_reason"};

// The fields that one cell spreads over, in the order of `suffixes`; empty where it has none.
using Fields = std::array<std::string, suffixes.size()>;

void put_interval(Fields& fields, std::size_t at, const MaybeInterval& maybe) {
    if (maybe.interval) {
        fields.at(at) = exact_text(maybe.interval->low);
        fields.at(at + 1) = exact_text(maybe.interval->high);
    }
}

std::string safe_text(const std::string& raw) {
    const std::string text = terminal_text(raw);
    const bool formula = !text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos;
    return formula ? "'" + text : text;
}

Fields fields_of(const Estimate& estimate) {
    Fields fields;
    fields.at(0) = estimate.value ? exact_text(*estimate.value) : "";
    fields.at(1) = exact_text(estimate.numerator);
    fields.at(2) = std::to_string(estimate.denominator);
    fields.at(3) = std::to_string(estimate.clusters);
    put_interval(fields, 4, estimate.wilson);
    put_interval(fields, 6, estimate.cluster_robust);
    put_interval(fields, 8, estimate.bootstrap);
    fields.at(10) = estimate.p_value ? exact_text(*estimate.p_value) : "";
    fields.at(11) = safe_text(estimate.reason);
    return fields;
}

Fields fields_of(const Cell& cell) {
    Fields fields;
    if (const auto* text = std::get_if<std::string>(&cell)) {
        fields.at(0) = safe_text(*text);
    } else if (const auto* number = std::get_if<double>(&cell)) {
        fields.at(0) = exact_text(*number);
    } else if (const auto* missing = std::get_if<NotAvailable>(&cell)) {
        fields.back() = safe_text(missing->reason);
    } else {
        fields = fields_of(std::get<Estimate>(cell));
    }
    return fields;
}

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    std::string out = "\"";
    for (const char c : field) {
        out += c == '"' ? "\"\"" : std::string(1, c);
    }
    return out + "\"";
}

std::string line_of(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) {
        line += (line.empty() && &field == &fields.front() ? "" : ",") + quoted(field);
    }
    return line + "\r\n";
}

}  // namespace

std::string table_csv(const Table& table) {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> lines(table.rows.size());
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        std::vector<Fields> fields;
        fields.reserve(table.rows.size());
        for (const std::vector<Cell>& row : table.rows) {
            fields.push_back(fields_of(row.at(column)));
        }
        for (std::size_t part = 0; part < suffixes.size(); ++part) {
            const bool used =
                std::any_of(fields.begin(), fields.end(), [&](const Fields& cell) { return !cell.at(part).empty(); });
            if (part > 0 && !used) {
                continue;
            }
            head.push_back(table.columns.at(column).key + suffixes.at(part));
            for (std::size_t row = 0; row < fields.size(); ++row) {
                lines.at(row).push_back(fields.at(row).at(part));
            }
        }
    }
    std::string csv = line_of(head);
    for (const std::vector<std::string>& line : lines) {
        csv += line_of(line);
    }
    return csv;
}

}  // namespace pasb
