// One line of the page's list of runs: what it is sorted and filtered by. Not the run's story.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"

namespace pasb {

struct RunRow {
    std::string run_id;
    int attempt = 1;
    std::string task_id;
    std::string model;
    std::string framework;
    std::string arm;
    std::string family;
    std::string scenario;
    std::string delivery;
    std::string domain;
    std::string destination;
    std::string state;           // "valid" or the reason why not
    std::optional<int> failed;   // bit i: metric_order[i] fails; none unless all four calls gave scores
    std::optional<double> rate;  // downstream failure, with `failed`
    std::string stance;          // empty: not annotated or without label
    std::string claim;           // its beginning
};

RunRow run_row(const Record& record, const Judgement* judgement, const Annotation* annotation);

// A compact array in the order of the struct's members; page.js reads it.
nlohmann::json to_json(const RunRow& row);

}  // namespace pasb
