// Turns what a run left behind into its record: changes, notes, saving, and the evidence chain. Pure: everything it
// needs is handed in.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "evidence/conversation.hpp"
#include "model/adapter.hpp"
#include "model/exchange.hpp"
#include "model/record.hpp"
#include "wire/engine_json.hpp"

namespace pasb {

// What goes into container 2.
struct Crossing {
    std::vector<NoteRecord> put;       // written, whole content in text
    std::vector<std::string> removed;  // deleted notes, and the old names of renamed ones
    std::vector<std::string>
        refused;  // notes that cannot cross (links, content over the cap), printable, with the reason
};

// After the first chat: fills notes, other_changes, unclassified, saved and destination of the record.
Crossing account_for_changes(Record& record, const Adapter& adapter, const Manifest& baseline,
                             const Snapshot& baseline_home, const Snapshot& captured,
                             const std::vector<EngineChange>& listed);

struct EvidenceInput {
    const Adapter& adapter;
    const Snapshot& baseline_home;
    const std::vector<Exchange>& exchanges;
    const Crossing& crossing;
    std::string canary;
    bool canary_in_second_home = false;
    bool second_home_known = false;  // container 2 was captured whole
};

// After the follow-up: fills continuity, cut, shown, write_attempts, tools_sha256 and the turns' model_calls, and says
// why the run is invalid where the evidence does not hold.
void account_for_evidence(Record& record, const EvidenceInput& input);

// Requests, tokens as the upstream counted them, retries, errors.
nlohmann::json usage_of(const std::vector<Exchange>& exchanges);

}  // namespace pasb
