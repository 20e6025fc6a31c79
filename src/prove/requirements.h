// What exploration, and reasoning about programs, needs of a model: what is established, and what is not (thesis
// sections 3.8 and 9.3.3).
#pragma once

#include "model/compile.h"
#include "prove/prover.h"

namespace heddle::prove {

struct RequirementAnswer {
  std::string what;
  Verdict verdict = Verdict::undecided;
  std::string why;
  std::optional<Counterexample> counterexample = {};  // of a fence that adds behaviour
};

std::vector<RequirementAnswer> requirements(const model::Model& model, const ProverLimits& limits = {});

// What compiling the model did not establish of it, by proof from its axioms together; of what is refuted, the reason
// becomes the cycle that is allowed. The proofs are about programs whose threads all exist from the beginning.
// Returns the names of the requirements that only a proof established.
// Nobody who runs a program wants to wait for it, so it takes a few seconds at most.
std::vector<std::string> establish(model::CompiledModel& compiled, const model::Model& model);

}  // namespace heddle::prove
