// Were the tools offered to the model the same throughout a run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "evidence/conversation.hpp"

namespace pasb {

struct ToolsSeen {
    std::string sha256;            // the one hash; empty when there is none, or more than one
    std::vector<std::string> all;  // in order of first sight, over the main conversations of both chats
};

ToolsSeen tools_seen(std::span<const Exchange> all, std::span<const TurnText> first_chat,
                     std::span<const TurnText> follow_up);

}  // namespace pasb
