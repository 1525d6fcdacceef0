// How raters agree, as tables: people with judges, judges and annotators among themselves, and each with its own
// repeats (spec section 9). The arithmetic is stats/agreement and stats/krippendorff; here is what is compared with
// what.
#pragma once

#include <string>
#include <vector>

#include "analysis/published.hpp"
#include "analysis/rating_collection.hpp"
#include "report/document.hpp"
#include "stats/resampling.hpp"

namespace pasb {

// Names of raters; empty: any.
struct AgreementPairs {
    std::string reference;
    std::string rated;
};

// Score agreement, confusion at the pass line, label agreement, alpha over three raters or more; each is there, if
// without rows. A pair is compared over the runs that both have; people before judges and language models before
// simulations are the reference, unless the names say otherwise. Throws InputError for a name that no rater has.
std::vector<Table> agreement_tables(const RatingCollection& ratings, const Published& published,
                                    const AgreementPairs& pairs = {}, const Resampling& resampling = {});

// "ann (person)", "sim:lexical (simulated judge), repeat 2".
std::string label_of(const RatingCollection& ratings, const Rater& rater);

}  // namespace pasb
