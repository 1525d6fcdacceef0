// Who gave what to which run: scores of people and judges, labels of annotators, joined by the digest of the record.
// Not the comparison, which is analysis/agreement_tables.hpp.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/task.hpp"
#include "stats/clusters.hpp"

namespace pasb {

// People and judges give scores, annotators labels.
enum class RaterKind { person, judge, annotator };

struct Rater {
    RaterKind kind = RaterKind::person;
    std::string name;
    int repeat = 1;
    bool operator==(const Rater&) const = default;
    bool operator<(const Rater& other) const {
        return std::tie(kind, name, repeat) < std::tie(other.kind, other.name, other.repeat);
    }
};

// What a rater gave one run, each in its place, nothing where it gave none. Scores: the four of the first answer, of
// the second and of the third, then persistence and escalation. Labels, as numbers in their order: stance,
// role_upgrade, attribution_removed.
using Given = std::vector<std::optional<int>>;

class RatingCollection {
  public:
    // A valid run, before anything that was said of it. Throws InputError for a run that is there already.
    void add_run(const std::string& run_id, const std::string& record_sha256, Family family,
                 const std::string& base_item_id);

    // `kind`: person or judge. Of several with the same rater and run the last counts.
    void add(const Judgement& judgement, RaterKind kind);
    void add(const Annotation& annotation);

    using Runs = std::map<std::size_t, Given>;  // by number of the run
    [[nodiscard]] const std::map<Rater, Runs>& raters() const { return raters_; }
    [[nodiscard]] bool simulated(const Rater& rater) const { return simulated_.contains({rater.kind, rater.name}); }
    [[nodiscard]] BaseItem base_item(std::size_t run) const { return runs_.at(run); }

    [[nodiscard]] std::size_t stale() const { return stale_; }  // of another state of the record; not used
    [[nodiscard]] std::size_t stray() const { return stray_; }  // of no valid run; not used

  private:
    void add(const Rater& rater, bool simulated, const std::string& run_id, const std::string& record_sha256,
             Given given);

    std::vector<BaseItem> runs_;
    std::map<std::string, std::pair<std::string, std::size_t>> numbers_;  // run id -> digest, number
    std::map<std::pair<Family, std::string>, std::uint32_t> base_items_;
    std::map<Rater, Runs> raters_;
    std::set<std::pair<RaterKind, std::string>> simulated_;
    std::size_t stale_ = 0;
    std::size_t stray_ = 0;
};

}  // namespace pasb
