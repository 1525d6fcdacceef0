// The exchanges of one attempt as a gzip file of JSON lines beside its record. Written once, whole or not at all.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/exchange.hpp"

namespace pasb {

// Writes OUT/exchanges/<name>.jsonl.gz and returns {file (relative to OUT), sha256 (of the uncompressed lines), count}.
// Throws InputError when the disk does not take it.
nlohmann::json write_exchanges(const std::filesystem::path& out, const std::string& name,
                               const std::vector<Exchange>& exchanges);

// The file as lines of JSON. Throws InputError.
std::vector<nlohmann::json> read_exchanges(const std::filesystem::path& file);

// An exchange file as nouns, with what write_exchanges said of it.
struct ExchangeFile {
    std::vector<Exchange> exchanges;
    std::string sha256;  // of the uncompressed lines
};

// Throws InputError for a file that is missing or damaged, naming the line that is no exchange.
ExchangeFile load_exchanges(const std::filesystem::path& file);

}  // namespace pasb
