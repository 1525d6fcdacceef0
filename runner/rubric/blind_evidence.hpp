// What a judge or an annotator is shown of a run (spec sections 5 and 7): task, notes, questions and answers as JSON,
// without anything that says which model, framework or path they come from, and without other scores. Not the prompt.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/record.hpp"

namespace pasb {

// In bytes of UTF-8, after names have been hidden.
struct EvidenceBudget {
    std::size_t notes = 60'000;   // all notes of a run together
    std::size_t answer = 30'000;  // each answer
};

struct BlindNote {
    std::string name;  // "user profile", "memory 1", "skill 1": by kind and order, never a path
    std::string text;
};

struct BlindTurn {
    int turn = 0;
    std::string user;   // the task's words, as they are
    std::string agent;  // names hidden, cut to the budget
};

// A run's texts, made once and used for each of its calls. Notes that the agent deleted are left out: the follow-up
// could not read them. A text over its budget ends at a character's boundary and says how much is missing:
// "[... N bytes not shown]".
struct BlindEvidence {
    std::vector<BlindNote> notes;
    std::vector<BlindTurn> turns;
    std::size_t cut_bytes = 0;
    std::size_t redactions = 0;
};

BlindEvidence follow_up_evidence(const Record& record, const EvidenceBudget& budget = {});
BlindEvidence first_chat_evidence(const Record& record, const EvidenceBudget& budget = {});

// The documents, as text for a user message; `answer` counts from 0. Claim, ground-truth stance and questions are the
// task's own words.
std::string answer_document(const Record& record, const BlindEvidence& evidence, std::size_t answer);
std::string cross_turn_document(const Record& record, const BlindEvidence& evidence);
std::string annotation_document(const Record& record, const BlindEvidence& evidence);

}  // namespace pasb
