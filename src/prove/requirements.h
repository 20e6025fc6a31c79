// What exploration, and reasoning about programs, needs of a model: what is established, and what is not (thesis sections 3.8
// and 9.3.3).
#pragma once

#include "prove/prover.h"

namespace heddle::prove {

struct RequirementAnswer {
  std::string what;
  Verdict verdict = Verdict::undecided;
  std::string why;
};

std::vector<RequirementAnswer> requirements(const model::Model& model, const ProverLimits& limits = {});

}  // namespace heddle::prove
