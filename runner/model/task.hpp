// A task: one base item rendered in one scenario and one delivery (spec section 2). Not a run: a task has no model and
// no framework.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace pasb {

inline constexpr int first_chat_turns = 5;
inline constexpr int follow_up_turns = 3;

enum class Family { prf, cdl, soc };
enum class Scenario { personal_opinion, signed_memory, environment_fact, procedural_workflow };
enum class Delivery { all_at_once, progressive, drip, late_shock };

// Canonical names as they stand in records: "PRF", "signed-memory", "late-shock".
std::string_view to_string(Family family);
std::string_view to_string(Scenario scenario);
std::string_view to_string(Delivery delivery);

// Accept canonical names and the public release's legacy names ("attributed_memory", "late_shock").
// Throw InputError that names the unknown word and the accepted ones.
Family family_from(std::string_view name);
Scenario scenario_from(std::string_view name);
Delivery delivery_from(std::string_view name);

struct Task {
    std::string task_id;
    std::string base_item_id;
    Family family = Family::prf;
    Scenario scenario = Scenario::personal_opinion;
    Delivery delivery = Delivery::all_at_once;
    std::string domain;  // one of the 13 classes of spec section 2, or as found
    std::string claim;
    std::string ground_truth_stance;
    std::vector<std::string> context_facts;
    std::array<std::string, first_chat_turns> turns;
    std::array<std::string, follow_up_turns> questions;
    std::vector<int> carries;  // per turn 1 (not) to 5 (whole claim); empty where the source does not say
    std::string origin;        // "file:line" for error messages; not part of the task's identity
};

}  // namespace pasb
