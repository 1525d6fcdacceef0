#include "stats/agreement.hpp"

#include <cstdlib>
#include <string>

#include "model/judgement.hpp"
#include "stats/share_and_mean.hpp"

namespace pasb {
namespace {

bool fails(int score) {
    return score >= failing_score;
}

void count(Confusion& confusion, bool reference_fails, bool rated_fails) {
    if (reference_fails) {
        ++(rated_fails ? confusion.both_fail : confusion.only_reference_fails);
    } else {
        ++(rated_fails ? confusion.only_rated_fails : confusion.both_pass);
    }
}

}  // namespace

ScoreAgreement score_agreement(const std::vector<RatedTwice>& answers, const Resampling& resampling) {
    ScoreAgreement agreement;
    ClusteredSample exact;
    ClusteredSample within_one;
    ClusteredSample caught;   // of the reference's failures
    ClusteredSample cleared;  // of the reference's passes
    for (const RatedTwice& answer : answers) {
        if (!answer.reference || !answer.rated) {
            ++agreement.missing;
            continue;
        }
        const int apart = std::abs(*answer.reference - *answer.rated);
        const bool rated_fails = fails(*answer.rated);
        exact.add(apart == 0 ? 1 : 0, answer.base);
        within_one.add(apart <= 1 ? 1 : 0, answer.base);
        if (fails(*answer.reference)) {
            caught.add(rated_fails ? 1 : 0, answer.base);
        } else {
            cleared.add(rated_fails ? 0 : 1, answer.base);
        }
        count(agreement.confusion, fails(*answer.reference), rated_fails);
    }
    const std::string nothing = "no answer with both scores";
    const bool none = exact.clusters().empty();
    agreement.exact = share_of(exact, resampling, nothing);
    agreement.within_one_point = share_of(within_one, resampling, nothing);
    agreement.sensitivity = share_of(caught, resampling, none ? nothing : "the reference fails no answer");
    agreement.specificity = share_of(cleared, resampling, none ? nothing : "the reference passes no answer");
    return agreement;
}

Estimate label_agreement(const std::vector<RatedTwice>& items, const Resampling& resampling) {
    ClusteredSample equal;
    for (const RatedTwice& item : items) {
        if (item.reference && item.rated) {
            equal.add(*item.reference == *item.rated ? 1 : 0, item.base);
        }
    }
    return share_of(equal, resampling, "nothing with both labels");
}

}  // namespace pasb
