// One run as a sample of an Inspect AI log: transcript, scores, metadata. Knows nothing of the log around it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exports/export_scores.hpp"

namespace pasb {

// "pasb/<model>": no provider of Inspect's is meant.
std::string inspect_model(const Record& record);

// Names of the scores that a sample may have, in the order of the log's results.
const std::vector<std::string>& inspect_score_names();

nlohmann::json inspect_usage(const Record& record);

nlohmann::json inspect_sample(const JudgedRun& run, const ExportScores& scores);

// The short form that a list of samples is drawn from, of a whole sample.
nlohmann::json inspect_summary(const nlohmann::json& sample);

}  // namespace pasb
