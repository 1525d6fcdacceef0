#include "analysis/rating_collection.hpp"

#include "model/errors.hpp"

namespace pasb {
namespace {

template <std::size_t Count>
void append(Given& given, const Verdict<Count>& verdict) {
    for (std::size_t i = 0; i < Count; ++i) {
        given.push_back(verdict.scores ? std::optional<int>(verdict.scores->at(i)) : std::nullopt);
    }
}

}  // namespace

void RatingCollection::add_run(const std::string& run_id, const std::string& record_sha256, Family family,
                               const std::string& base_item_id) {
    if (!numbers_.emplace(run_id, std::pair{record_sha256, runs_.size()}).second) {
        throw InputError("run " + run_id + " stands in two of the folders; leave one out");
    }
    const auto number = static_cast<std::uint32_t>(base_items_.size());
    const auto base = base_items_.try_emplace({family, base_item_id}, number).first;
    runs_.push_back({base->second, static_cast<std::uint32_t>(family)});
}

void RatingCollection::add(const Rater& rater, bool simulated, const std::string& run_id,
                           const std::string& record_sha256, Given given) {
    const auto run = numbers_.find(run_id);
    if (run == numbers_.end()) {
        ++stray_;
        return;
    }
    if (run->second.first != record_sha256) {
        ++stale_;
        return;
    }
    raters_[rater][run->second.second] = std::move(given);
    if (simulated) {
        simulated_.emplace(rater.kind, rater.name);
    }
}

void RatingCollection::add(const Judgement& judgement, RaterKind kind) {
    Given given;
    for (const AnswerVerdict& answer : judgement.answers) {
        append(given, answer);
    }
    append(given, judgement.cross_turn);
    add({kind, judgement.judge, judgement.repeat}, judgement.simulated, judgement.run_id, judgement.record_sha256,
        std::move(given));
}

void RatingCollection::add(const Annotation& annotation) {
    Given given(3);
    if (annotation.unlabelled.empty()) {
        given = {static_cast<int>(annotation.stance), static_cast<int>(annotation.role_upgrade),
                 annotation.attribution_removed ? 1 : 0};
    }
    add({RaterKind::annotator, annotation.annotator, annotation.repeat}, annotation.simulated, annotation.run_id,
        annotation.record_sha256, std::move(given));
}

}  // namespace pasb
