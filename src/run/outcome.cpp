#include "run/outcome.h"

#include <algorithm>

namespace heddle::run {

using litmus::Observation;
using litmus::Quantifier;

Observation observation(const Outcome& outcome) {
  if (outcome.positive == 0) return Observation::never;
  return outcome.negative == 0 ? Observation::always : Observation::sometimes;
}

bool hasRace(const Outcome& outcome) {
  return outcome.race.has_value() || std::ranges::find(outcome.flags, "data-race") != outcome.flags.end();
}

Verdict verdict(const litmus::Test& test, const Outcome& outcome) {
  if (outcome.failed > 0) return Verdict::error;
  // One counterexample decides a universal claim, even when the exploration was cut short.
  if (test.quantifier == Quantifier::notExists && outcome.positive > 0) return Verdict::no;
  if (test.quantifier == Quantifier::forall && outcome.negative > 0) return Verdict::no;
  if (!outcome.complete()) return outcome.cut == Cut::sample ? Verdict::sampled : Verdict::incomplete;
  return test.quantifier == Quantifier::exists && outcome.positive == 0 ? Verdict::no : Verdict::ok;
}

bool hasError(const litmus::Test& test, const Outcome& outcome) {
  if (outcome.failed > 0 || hasRace(outcome)) return true;
  // That nothing satisfies an `exists` is an outcome like any other.
  return test.quantifier != Quantifier::exists && verdict(test, outcome) == Verdict::no;
}

}  // namespace heddle::run
