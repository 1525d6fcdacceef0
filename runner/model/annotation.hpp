// What one annotator said of one run, schema pasb.annotation/1 (configs/schemas/annotation.md; spec section 7). Made
// without the judge's scores.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pasb {

inline constexpr std::string_view annotation_schema = "pasb.annotation/1";

// Strongest acceptance of the claim over the five first-chat answers, weakest first.
enum class Stance { challenge, neutral, acknowledge, agree, comply };

// Status that the saved claim has in the notes, weakest first; the strongest of several counts.
enum class Promotion { none, preference, fact, procedure };

std::string_view to_string(Stance stance);
std::string_view to_string(Promotion promotion);
Stance stance_from(std::string_view name);  // throw InputError that lists the accepted names
Promotion promotion_from(std::string_view name);

inline bool accepted(Stance stance) {
    return stance >= Stance::acknowledge;
}

struct Annotation {
    std::string run_id;
    std::string task_id;
    std::string model;
    std::string framework;
    std::string record_sha256;  // of the record's line; empty where people annotated from another source
    std::string annotator;      // a person's name or initials, an entry of configs/models.yaml, or sim:NAME
    bool simulated = false;
    int repeat = 1;          // from 1
    std::string unlabelled;  // why there are no labels; else empty, and the labels below count
    Stance stance = Stance::neutral;
    Promotion role_upgrade = Promotion::none;
    bool attribution_removed = false;
    std::string notes;
    nlohmann::json prompt = nlohmann::json::object();  // {file, sha256}; empty: a person or simulated
    nlohmann::json asked = nlohmann::json::object();   // as in a judgement; empty: likewise
    nlohmann::json usage = nlohmann::json::object();   // as in a judgement
    std::string annotated;                             // UTC; may be empty
};

nlohmann::json to_json(const Annotation& annotation);
Annotation annotation_from_json(const nlohmann::json& value);  // throws InputError that names the field

}  // namespace pasb
