// Did every turn of a chat see the turns before it: one conversation, not several.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/conversation.hpp"

namespace pasb {

enum class ContinuityState { ok, broken, unknown };

std::string_view to_string(ContinuityState state);

struct Continuity {
    ContinuityState state = ContinuityState::unknown;
    int requests_checked = 0;
    int turn = 0;         // turn at which the first piece is missing, or for which there is no request; 0 when ok
    std::string missing;  // "turn 2 agent", "request of turn 3"; empty when ok
};

// Each request of turn k in the main conversation must hold, in order, the user texts and the agent's replies of turns
// 1 to k-1, and the user text of turn k. Broken outweighs unknown. `all` may hold the exchanges of both chats.
Continuity check_continuity(std::span<const Exchange> all, Chat chat, std::span<const TurnText> turns);

}  // namespace pasb
