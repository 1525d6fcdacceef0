// report.md: the document for a terminal or a pull request. Figures are given as their numbers.
#pragma once

#include <string>

#include "report/document.hpp"

namespace pasb {

std::string document_markdown(const Document& document);

// One table under its title, as it stands in the document.
std::string table_markdown(const Table& table);

// Untrusted text on one line, inert in GitHub's Markdown and in a table's cell.
std::string markdown_text(const std::string& text);

}  // namespace pasb
