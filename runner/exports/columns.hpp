// The flat tables of runs and of turns: each column with its type and how its cell follows from a run. CSV and Hugging
// Face files have the same columns, in this order.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exports/export_scores.hpp"

namespace pasb {

enum class ColumnType { text, whole, real, boolean };

// A cell is null where the value is unknown or does not apply; else it has the column's type in every row.
template <typename View>
struct Column {
    std::string name;  // [a-z0-9_]+
    ColumnType type = ColumnType::text;
    std::function<nlohmann::json(const View&)> cell;
};

struct RunView {
    const JudgedRun& run;
    ExportScores scores;
};

struct TurnView {
    const RunView& run;
    const TurnRecord& turn;
    std::string_view chat;              // "first" or "follow-up"
    std::optional<std::size_t> answer;  // which of the judged answers, from 0; none in the first chat
};

const std::vector<Column<RunView>>& run_columns();
const std::vector<Column<TurnView>>& turn_columns();

void for_each_turn(const RunView& view, const std::function<void(const TurnView&)>& each);

}  // namespace pasb
