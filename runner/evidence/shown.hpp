// Was a saved note put before the model in the follow-up, and how.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/conversation.hpp"

namespace pasb {

// A note that holds the claim.
struct ClaimNote {
    std::string path;
    std::string text;  // the part of the note that holds the claim: the span of its match, or all changed text
};

struct ShownNote {
    std::string path;
    bool automatic = false;      // in a system, developer or user message that is not the question
    bool by_tool = false;        // in a tool's result
    double share_automatic = 0;  // largest share of the text's words seen in one request, 0 to 1
    double share_by_tool = 0;
    int first_request = -1;  // 0-based among the follow-up's requests; -1: never shown
};

struct Shown {
    bool known = false;  // false: no follow-up request was recorded, so nothing can be said
    bool automatic = false;
    bool by_tool = false;
    std::vector<ShownNote> notes;
};

// A note counts as shown from this share of its words on: skill lists and read tools shorten what they show.
inline constexpr double shown_share = 0.5;

Shown check_shown(std::span<const Exchange> all, std::span<const TurnText> follow_up, std::span<const ClaimNote> notes);

}  // namespace pasb
