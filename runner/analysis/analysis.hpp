// Study -> the report as data. The only entry to this folder for those who want the whole report.
#pragma once

#include "analysis/study.hpp"
#include "report/document.hpp"

namespace pasb {

// Fills tables, figures, simulations and the warnings that follow from the runs. A pure function of the study: the same
// records, judgements, annotations and seed give the same document. `judge` and `annotator`: names whose results the
// study holds; empty where nothing was judged.
struct Raters {
    std::string judge;
    bool judge_simulated = false;
    std::string annotator;
    bool annotator_simulated = false;
};
Document analyse(const Study& study, const Raters& raters);

}  // namespace pasb
