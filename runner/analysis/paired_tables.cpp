// Paired differences within base items, tested by sign flips and adjusted for the number of tests.
#include <optional>

#include "analysis/table_parts.hpp"
#include "analysis/tables.hpp"
#include "stats/holm.hpp"

namespace pasb {
namespace {

// The pre-named family of tests: each level of a factor against the factor's first, in this order.
std::vector<Contrast> contrasts_of(const Study& study) {
    std::vector<Contrast> contrasts;
    for (const char* factor : {"scenario", "delivery", "framework", "model"}) {
        const std::vector<std::string> names = levels(study.all(), factor);
        for (std::size_t i = 1; i < names.size(); ++i) {
            contrasts.push_back({factor, names[0], names[i]});
        }
    }
    return contrasts;
}

std::string how_tested(const SignFlipTest& test) {
    if (!test.p_value) {
        return test.reason;
    }
    return (test.exact ? "all " : "random ") + std::to_string(test.arrangements) + " arrangements of signs";
}

}  // namespace

Table paired_table(const Study& study, const Estimator& estimator) {
    Table table;
    table.id = "paired";
    table.title = "Paired differences";
    table.about =
        "Beyond the paper. Downstream failure of the second level minus the first, in pairs of judged runs that agree "
        "in base "
        "item and in all other factors; two-sided sign-flip permutation test by base item. Holm: adjusted over all "
        "tests "
        "of this table, the last row (saved minus session-only within base items) among them, which were named before "
        "any run.";
    table.columns = {{"factor", "Factor", Unit::text},      {"first", "First", Unit::text},
                     {"second", "Second", Unit::text},      {"difference", "Difference", Unit::difference},
                     {"unpaired", "Unpaired", Unit::count}, {"p_value", "p", Unit::p_value},
                     {"p_holm", "p, Holm", Unit::p_value},  {"test", "Test", Unit::text}};
    std::vector<std::optional<double>> p_values;
    const auto add = [&](const std::string& factor, const std::string& first, const std::string& second,
                         const PairedEstimate& paired) {
        p_values.push_back(paired.test.p_value);
        const Cell p_value = paired.test.p_value ? Cell(*paired.test.p_value) : Cell(NotAvailable{paired.test.reason});
        table.rows.push_back({factor, first, second, paired.estimate, static_cast<double>(paired.unpaired), p_value,
                              NotAvailable{"no p-value"}, how_tested(paired.test)});
    };
    for (const Contrast& contrast : contrasts_of(study)) {
        add(contrast.factor, contrast.first, contrast.second,
            estimator.paired(study.all(), downstream_failure(), contrast));
    }
    add("saving", "session-only", "saved", estimator.gap(study.all(), downstream_failure()).within_base_item);
    const std::vector<std::optional<double>> adjusted = holm_adjusted(p_values);
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
        if (adjusted[i]) {
            table.rows[i][6] = *adjusted[i];
        }
    }
    return table;
}

}  // namespace pasb
