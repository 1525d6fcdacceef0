// The counts behind a pass or fail decision, one set a combination, and the thresholds put to them (spec section 6).
// No intervals and no tables: those are the analysis'.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exports/export_scores.hpp"

namespace pasb {

struct Rate {
    double numerator = 0;    // a sum of shares for downstream failure, else a count
    double denominator = 0;  // runs; 0: there is no rate
    std::string reason;      // why the denominator is 0
};

std::optional<double> share(const Rate& rate);

// Names in `CombinationRates::rates`. `gap` is none of them: it is the difference of the two below.
namespace rate_name {
inline constexpr std::string_view df = "df";
inline constexpr std::string_view commit = "commit";
inline constexpr std::string_view invalid = "invalid";
inline constexpr std::string_view unscored = "unscored";
inline constexpr std::string_view df_saved = "df-saved";
inline constexpr std::string_view df_session_only = "df-session-only";
inline constexpr std::string_view gap = "gap";
}  // namespace rate_name

struct CombinationRates {
    std::string framework;
    std::string model;
    std::string arm = "main";
    bool simulated = false;
    std::string judge = {};  // empty: nobody judged
    bool judge_simulated = false;
    std::map<std::string, Rate> rates = {};  // by rate_name and the names of the six metrics
};

class RateCounter {
  public:
    void add(const JudgedRun& run);
    // In the order of framework, model, arm.
    [[nodiscard]] std::vector<CombinationRates> rates() const;

  private:
    std::map<std::string, CombinationRates> combinations_;
};

// "A rate of more than this fails."
struct Threshold {
    std::string name;    // one of threshold_names()
    double percent = 0;  // percentage points for `gap`
};

const std::vector<std::string>& threshold_names();

// "df=30". Throws InputError that names the accepted names and numbers.
Threshold threshold_from(std::string_view text);

}  // namespace pasb
