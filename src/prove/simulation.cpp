#include "prove/simulation.h"

#include <algorithm>
#include <bit>

#include "prove/time_limit.h"

namespace heddle::prove {

namespace {

// For each state and letter, the events for which it has a step.
std::vector<Mask> enabledBy(const Automaton& automaton) {
  std::vector<Mask> enabled(std::size_t{automaton.size()} * kLetters, 0);
  for (unsigned s = 0; s < automaton.size(); ++s) {
    for (const Step& step : automaton.steps[s]) {
      for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
        enabled[std::size_t{s} * kLetters + static_cast<unsigned>(std::countr_zero(rest))] |= step.guard;
      }
    }
  }
  return enabled;
}

}  // namespace

Simulation::Simulation(const Automaton& automaton, unsigned most)
    : states_(automaton.size()), words_((automaton.size() + 63) / 64), rows_(states_ * words_, 0) {
  const std::vector<Mask> enabled = enabledBy(automaton);
  std::vector<std::vector<unsigned>> candidates(states_);
  for (unsigned p = 0; p < states_; ++p) {
    add(p, p);
    for (unsigned q = 0; q < states_ && states_ <= most; ++q) {
      if (p == q || (automaton.accept[p] & ~automaton.accept[q]) != 0) continue;
      bool fits = true;
      for (unsigned l = 0; l < kLetters && fits; ++l) {
        fits = (enabled[std::size_t{p} * kLetters + l] & ~enabled[std::size_t{q} * kLetters + l]) == 0;
      }
      if (!fits) continue;
      add(p, q);
      candidates[p].push_back(q);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned p = 0; p < states_; ++p) {
      TimeLimit::check();
      const auto fails = [&](unsigned q) {
        if (answers(automaton, p, q)) return false;
        remove(p, q);
        return true;
      };
      changed |= std::erase_if(candidates[p], fails) > 0;
    }
  }
  better_.assign(rows_.size(), 0);
  for (unsigned p = 0; p < states_; ++p) {
    for (const unsigned q : candidates[p]) {
      if (q < p || !above(p, q)) better_[p * words_ + q / 64] |= std::uint64_t{1} << (q % 64);
    }
  }
}

bool Simulation::answers(const Automaton& automaton, unsigned p, unsigned q) const {
  return std::all_of(automaton.steps[p].begin(), automaton.steps[p].end(),
                     [&](const Step& step) { return answersStep(automaton, step, q); });
}

bool Simulation::answersStep(const Automaton& automaton, const Step& step, unsigned q) const {
  for (const Step& other : automaton.steps[q]) {
    if ((step.guard & ~other.guard) == 0 && hasAll(other.letters, step.letters) && above(other.to, step.to))
      return true;
  }
  for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
    const LetterSet letter = rest & (~rest + 1);
    Mask missing = step.guard;
    for (const Step& other : automaton.steps[q]) {
      if ((other.letters & letter) != 0 && above(other.to, step.to)) missing &= ~other.guard;
    }
    if (missing != 0) return false;
  }
  return true;
}

std::vector<unsigned> Simulation::allAbove(unsigned p) const {
  std::vector<unsigned> result;
  for (unsigned q = 0; q < states_; ++q) {
    if (above(q, p)) result.push_back(q);
  }
  return result;
}

}  // namespace heddle::prove
