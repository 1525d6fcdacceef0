#include "evidence/answers.hpp"

#include <algorithm>
#include <string>

#include "evidence/conversation.hpp"
#include "evidence/text_spans.hpp"

namespace pasb {

const TurnRecord* first_unmodelled(const std::vector<TurnRecord>& turns, Chat chat,
                                   const std::vector<Exchange>& exchanges) {
    for (const TurnRecord& turn : turns) {
        const bool modelled = std::any_of(exchanges.begin(), exchanges.end(), [&](const Exchange& exchange) {
            if (exchange.chat != chat || exchange.turn != turn.turn || !exchange.error.empty()) {
                return false;
            }
            const std::string said = answer_of(exchange.response).text;
            return !said.empty() && (holds_text(said, turn.agent) || holds_text(turn.agent, said));
        });
        if (!modelled) {
            return &turn;
        }
    }
    return nullptr;
}

}  // namespace pasb
