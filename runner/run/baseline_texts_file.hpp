// OUT/baseline-notes/<framework>.json: the texts of the notes that the frozen image holds, so that a reader of the
// records can tell what the agent wrote from what was there. The baseline file itself holds hashes only.
#pragma once

#include <filesystem>
#include <string>

#include "model/baseline_texts.hpp"
#include "model/change.hpp"

namespace pasb {

// Of the image's home, the notes whose content was kept. Throws InputError when the disk does not take it.
void write_baseline_texts(const std::filesystem::path& out, const std::string& framework, const Manifest& manifest,
                          const Snapshot& home);

// Empty where there is no file. Throws InputError that names a file which is no such file.
BaselineTexts read_baseline_texts(const std::filesystem::path& out, const std::string& framework);

}  // namespace pasb
