// Does a text hold a claim, by overlap of content words. Not a judgement of meaning: a denial of the claim in the claim's words holds it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "changes/changed_text.hpp"

namespace pasb {

struct ClaimMatch {
    double score = 0;      // 0 to 1
    double threshold = 0;  // holds when score >= threshold
    bool holds = false;
    ByteSpan span;    // region of the text that gives the score; empty where nothing overlaps
    int against = 0;  // 0: the claim itself; k: the k-th of the renderings (1-based)
};

ClaimMatch match_claim(std::string_view claim, std::string_view text);

// The better of the claim and its renderings, which are this task's own wordings of the claim: the first-chat turns that carry it.
ClaimMatch match_claim(std::string_view claim, std::span<const std::string> renderings, std::string_view text);

}  // namespace pasb
