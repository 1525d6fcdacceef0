// The table at the end of an eval: what was saved and what crossed, per framework and model. Not the report: no judged
// outcome is in it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pasb {

class Summary {
  public:
    // Takes one record of records.jsonl, in the order of the file; of several attempts at a run the last counts.
    void add(const nlohmann::json& record);

    // A text table with a head; says "simulated model" where a model is one.
    [[nodiscard]] std::string table() const;
    [[nodiscard]] bool all_valid() const;

  private:
    struct Row {
        bool valid = false;
        bool cut_proven = false;
        bool simulated = false;
        std::string destination;
        double seconds = 0;
    };
    using Group = std::pair<std::string, std::string>;  // framework, model
    std::map<Group, std::map<std::string, Row>> groups_;
};

}  // namespace pasb
