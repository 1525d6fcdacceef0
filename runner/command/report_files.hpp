// A study as the files of a report: what is written by `pasb report` and made again by `pasb verify`. Deterministic:
// the same inputs and settings give the same bytes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "command/study_files.hpp"
#include "report/document.hpp"

namespace pasb {

Document document_of(const StudyFiles& files, const Settings& settings);

// Everything but the page: file name within the report's folder -> bytes.
std::map<std::string, std::string> small_files(const Document& document, const StudyFiles& files);

// The page, piece by piece. Reads every run's record once more; where there are more runs than readers, these are
// spread evenly over each combination's runs.
void write_page(const Document& document, const StudyFiles& files, const std::function<void(std::string_view)>& sink);

inline constexpr const char* page_file = "report.html";
inline constexpr const char* document_file = "report.json";
inline constexpr const char* digests_file = "digests.txt";

}  // namespace pasb
