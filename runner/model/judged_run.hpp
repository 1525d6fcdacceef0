// One run with what one judge and one annotator said of it.
#pragma once

#include <optional>

#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"

namespace pasb {

struct JudgedRun {
    Record record;  // of the run's valid attempt, else of its last one
    std::optional<Judgement> judgement;
    std::optional<Annotation> annotation;
};

}  // namespace pasb
