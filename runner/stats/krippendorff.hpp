// Krippendorff's alpha: agreement of any number of raters beyond what their overall use of the values would give
// ("Computing Krippendorff's Alpha-Reliability", 2011). 1 is perfect, 0 is chance, below is systematic disagreement.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pasb {

// How far two values are apart: not at all or wholly; by the ratings that lie between them; by their squared
// difference.
enum class Scale { nominal, ordinal, interval };

// One thing that was rated: what each rater gave (codes or Likert points), nothing where a rater gave none.
using Ratings = std::vector<std::optional<int>>;

struct Alpha {
    std::optional<double> value;
    std::string reason;       // "fewer than two ratings on every unit", "no variation"; empty exactly with a value
    std::size_t units = 0;    // with two ratings or more; the others cannot be compared and do not count
    std::size_t ratings = 0;  // on these
};

Alpha krippendorff_alpha(const std::vector<Ratings>& units, Scale scale);

}  // namespace pasb
