#include "report/markdown.hpp"

#include <algorithm>

#include "model/bytes.hpp"
#include "report/figure_table.hpp"
#include "report/text_form.hpp"

namespace pasb {
namespace {

using Grid = std::vector<std::vector<std::string>>;

// Columns of a terminal: code points, which is right for the scripts that labels are written in.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<std::size_t> widths_of(const Grid& grid) {
    std::vector<std::size_t> widths(grid.front().size(), 3);
    for (const std::vector<std::string>& row : grid) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths.at(column) = std::max(widths.at(column), width_of(row.at(column)));
        }
    }
    return widths;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string blanks(width - std::min(width, width_of(text)), ' ');
    return right ? blanks + text : text + blanks;
}

std::string rule_line(const std::vector<Column>& columns, const std::vector<std::size_t>& widths) {
    std::string line = "|";
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const std::string dashes(widths.at(column) - 1, '-');
        line += columns.at(column).unit == Unit::text ? " -" + dashes + " |" : " " + dashes + ": |";
    }
    return line + "\n";
}

// Numbers hold nothing to escape, and stay readable in a terminal without.
std::string cell_markdown(const Cell& cell, Unit unit) {
    const auto* const estimate = std::get_if<Estimate>(&cell);
    const bool number = std::holds_alternative<double>(cell) || (estimate != nullptr && estimate->value);
    return number ? cell_text(cell, unit) : markdown_text(cell_text(cell, unit));
}

std::string table_lines(const Table& table) {
    Grid grid(1);
    for (const Column& column : table.columns) {
        grid.front().push_back(markdown_text(column.label));
    }
    for (const std::vector<Cell>& row : table.rows) {
        std::vector<std::string> cells;
        for (std::size_t column = 0; column < row.size(); ++column) {
            cells.push_back(cell_markdown(row.at(column), table.columns.at(column).unit));
        }
        grid.push_back(std::move(cells));
    }
    const std::vector<std::size_t> widths = widths_of(grid);
    std::string lines;
    for (const std::vector<std::string>& row : grid) {
        std::string line = "|";
        for (std::size_t column = 0; column < row.size(); ++column) {
            line += " " + padded(row.at(column), widths.at(column), table.columns.at(column).unit != Unit::text) + " |";
        }
        lines += line + "\n";
        if (&row == &grid.front()) {
            lines += rule_line(table.columns, widths);
        }
    }
    return lines;
}

std::string bullets(const std::vector<std::string>& items) {
    std::string lines;
    for (const std::string& item : items) {
        lines += "- " + markdown_text(item) + "\n";
    }
    return lines.empty() ? lines : lines + "\n";
}

std::string bullets_under(const char* title, const std::vector<std::string>& items) {
    return items.empty() ? "" : "**" + std::string(title) + "**\n\n" + bullets(items);
}

std::string banner(const Document& document) {
    if (!document.simulated) {
        return "";
    }
    std::string text =
        "> **Simulated.** Some of these numbers come from deterministic programs and say nothing about any language "
        "model";
    for (std::size_t i = 0; i < document.simulations.size(); ++i) {
        text += (i == 0 ? ": " : ", ") + markdown_text(document.simulations.at(i));
    }
    return text + ".\n\n";
}

std::string head(const Document& document) {
    std::string text = "# " + markdown_text(document.title) + "\n\n" + banner(document);
    text += bullets_under("What was measured", document.measured) + bullets_under("What was found", document.found);
    for (const std::string& warning : document.warnings) {
        text += "> **Warning.** " + markdown_text(warning) + "\n\n";
    }
    for (const auto& [label, value] : document.facts) {
        text += "- " + markdown_text(label) + ": " + markdown_text(value) + "\n";
    }
    text += "- Judge: " + (document.judge.empty() ? "none; nothing is judged" : markdown_text(document.judge)) + "\n";
    text += "- Annotator: " +
            (document.annotator.empty() ? "none; nothing is annotated" : markdown_text(document.annotator)) + "\n\n";
    return text;
}

std::string inputs(const Document& document) {
    std::string text = document.inputs.empty() ? "" : "## Inputs\n\n";
    for (const Input& input : document.inputs) {
        text += "- " + markdown_text(input.path) + ": " + std::to_string(input.lines) + " lines, " +
                std::to_string(input.bytes) + " bytes, SHA-256 " + markdown_text(input.sha256) + "\n";
    }
    return text;
}

}  // namespace

std::string markdown_text(const std::string& text) {
    std::string out;
    for (const char c : terminal_text(text)) {
        if (c == '\n' || c == '\t') {
            out += ' ';
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '&') {
            out += "&amp;";
        } else {
            out += std::string_view("\\`*_[]#|~!").find(c) != std::string_view::npos ? "\\" : "";
            out += c;
        }
    }
    return out;
}

std::string table_markdown(const Table& table) {
    std::string text = "## " + markdown_text(table.title) + "\n\n";
    text += table.about.empty() ? "" : markdown_text(table.about) + "\n\n";
    text += table.rows.empty() ? "No rows.\n\n" : table_lines(table) + "\n";
    return text + bullets(table.remarks);
}

std::string document_markdown(const Document& document) {
    std::string text = head(document);
    for (const Table& table : document.tables) {
        text += table_markdown(table);
    }
    for (const Figure& figure : document.figures) {
        text += table_markdown(figure_table(figure));
    }
    return text + inputs(document);
}

}  // namespace pasb
