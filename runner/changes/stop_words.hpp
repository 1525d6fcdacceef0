// Words that say nothing about a claim: function words of a few languages, and the wording of attribution and note
// keeping.
#pragma once

#include <string_view>

namespace pasb {

// `word` as split_words gives it. The lists are short on purpose: a missing language only makes overlap a little easier
// to reach.
bool is_stop_word(std::string_view word);

}  // namespace pasb
