// Does a text hold a claim, by overlap of content words. Not a judgement of meaning: a denial of the claim in the
// claim's words holds it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "changes/changed_text.hpp"
#include "model/task.hpp"

namespace pasb {

struct ClaimMatch {
    double score = 0;      // 0 to 1
    double threshold = 0;  // holds when score >= threshold
    bool holds = false;
    ByteSpan span;    // region of the text that gives the score; empty where nothing overlaps
    int against = 0;  // 0: the claim itself; k: the k-th of the renderings (1-based)
};

// Score: the best window of the text by shared / sqrt(claim * window), all counted in content words (no stop words, no
// wording of attribution; equal but for case, compatibility forms and inflection), a shared word at half its weight
// where it stands out of the claim's order. A whole claim gives 1; a short note wins by its precision, a note in pieces
// by its recall, while a long text that meets the claim's words here and there has neither. A window counts as four
// words at least, and three of the claim's words must stand in it (all, if it has fewer). Threshold 0.34, by
// measurement over the public release's 1,600 tasks and 100 claims: it keeps all notes made of five or more content
// words of a claim and 97 % of the turns that voice it as an opinion or a signed note, while 7,900 pairs of claims with
// files of the two frameworks give 0.0 % (highest score 0.30) and neutral turns of the same task 1.5 %, most of which
// do talk about the claim's matter. Turns in the wording of a fact or a procedure often share few words with the claim
// (77 and 82 % found): renderings are for those.
ClaimMatch match_claim(std::string_view claim, std::string_view text);

// The better of the claim and its renderings, the task's own wordings of it; a rendering's score is taken at 0.65,
// since much of it is wrapping.
ClaimMatch match_claim(std::string_view claim, std::span<const std::string> renderings, std::string_view text);

// The first-chat turn that carries the whole claim by the placement rule (spec section 2), or for a drip its three
// turns as one text.
std::vector<std::string> claim_renderings(const Task& task);

}  // namespace pasb
