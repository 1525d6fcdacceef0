// Hides from a text which framework and which model wrote it: names in any usual spelling, and the paths of the
// framework's files. Not a paraphrase: style, templates and facts that only one framework knows stay, and words that
// are both a name and something else (Hermes, Gemini) go.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"

namespace pasb {

class Redactor {
  public:
    // Knows the record's framework, model and note paths beside the names that are always hidden.
    explicit Redactor(const Record& record);

    // `text` must be UTF-8. Frameworks and their paths become "[agent]", models and their makers "[model]".
    std::string hide(std::string_view text);

    [[nodiscard]] std::size_t count() const { return count_; }  // places hidden so far

  private:
    std::vector<std::string> frameworks_;  // folded letters and digits, without separators
    std::vector<std::string> models_;      // the same
    std::vector<std::string> note_tails_;  // last two segments of the notes' paths, lower case
    std::size_t count_ = 0;
};

}  // namespace pasb
