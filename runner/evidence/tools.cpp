#include "evidence/tools.hpp"

#include <algorithm>

namespace pasb {

ToolsSeen tools_seen(std::span<const Exchange> all, std::span<const TurnText> first_chat,
                     std::span<const TurnText> follow_up) {
    ToolsSeen seen;
    for (const Exchange& exchange : all) {
        const std::span<const TurnText> turns = exchange.chat == Chat::first ? first_chat : follow_up;
        if (in_main_conversation(exchange, exchange.chat, turns, all) &&
            std::find(seen.all.begin(), seen.all.end(), exchange.tools_sha256) == seen.all.end()) {
            seen.all.push_back(exchange.tools_sha256);
        }
    }
    if (seen.all.size() == 1) {
        seen.sha256 = seen.all.front();
    }
    return seen;
}

}  // namespace pasb
