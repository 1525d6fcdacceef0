// The report's tables, each a function of the study. Rows are ordered by name, with rows over several groups first.
#pragma once

#include <vector>

#include "analysis/estimates.hpp"
#include "analysis/study.hpp"
#include "report/document.hpp"

namespace pasb {

Table setup_table(const Study& study);  // what the runs were made with
Table funnel_table(const Study& study);
Table invalid_table(const Study& study);  // why runs are invalid, unscored or not annotated
Table warning_table(const Study& study);

Table main_table(const Study& study, const Estimator& estimator);
// factor: scenario, delivery, family, domain
Table factor_table(const Study& study, const Estimator& estimator, const std::string& factor);
Table curve_table(const Study& study, const Estimator& estimator);

Table gap_table(const Study& study, const Estimator& estimator);
Table gap_by_metric_table(const Study& study, const Estimator& estimator);
Table destination_table(const Study& study, const Estimator& estimator);

Table stance_table(const Study& study, const Estimator& estimator);
Table stance_by_combination_table(const Study& study);
Table promotion_table(const Study& study, const Estimator& estimator);

Table paired_table(const Study& study, const Estimator& estimator);

Table tool_text_table(const Study& study);
Table cost_table(const Study& study);
Table effort_table(const Study& study);

}  // namespace pasb
