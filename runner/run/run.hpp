// The life of one attempt at one run: first chat, flush wait, capture, cut, follow-up, destruction, account (spec
// section 3). Schedules nothing and writes no journal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/exchange.hpp"
#include "model/record.hpp"
#include "plan/plan.hpp"
#include "run/run_context.hpp"

namespace pasb {

// Told as a run passes its stages ("boot", "turn 1", ..., "flush", "capture", "follow-up 1", ..., "done"); from the
// run's own thread.
using StageSink = std::function<void(const std::string& run_id, const std::string& stage)>;

struct Attempt {
    Record record;
    std::vector<Exchange> exchanges;  // of both chats, in order of time
};

// Never throws for what happens to the run: the record says how it ended.
Attempt run_attempt(const RunContext& context, const RunSpec& spec, int attempt, const StageSink& stage);

// Whether another attempt in fresh containers may help: infrastructure failures yes, a cut that is not proven no.
bool worth_another_attempt(const Record& record);

}  // namespace pasb
