// The static parts of the page as HTML; they need no script to be read. Private to report/page.
#pragma once

#include <cstddef>
#include <string>

#include "report/document.hpp"

namespace pasb {

// From <!DOCTYPE> to the title's header.
std::string page_head(const Document& document);

// Banner, summary, warnings, facts and contents.
std::string page_overview(const Document& document);

std::string page_section_begin(const std::string& id, const std::string& title);
std::string page_figure(const Figure& figure);
std::string page_table(const Table& table);
std::string page_inputs(const Document& document);

// Where the script puts the list of runs and the reader.
std::string page_runs(std::size_t runs, std::size_t readers, const std::string& out);

}  // namespace pasb
