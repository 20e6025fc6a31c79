#include "prove/simulation.h"

#include <algorithm>
#include <bit>

#include "prove/time_limit.h"

namespace heddle::prove {

namespace {

// For each state and letter, the events for which it has a step; letters that do not occur are left out.
struct Enabled {
  explicit Enabled(const Automaton& automaton) {
    LetterSet used = 0;
    for (const auto& steps : automaton.steps) {
      for (const Step& step : steps) used |= step.letters;
    }
    letters = static_cast<std::size_t>(std::popcount(used));
    events.assign(automaton.size() * letters, 0);
    for (unsigned s = 0; s < automaton.size(); ++s) {
      for (const Step& step : automaton.steps[s]) {
        for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
          const LetterSet before = (rest & (~rest + 1)) - 1;
          events[s * letters + static_cast<std::size_t>(std::popcount(used & before))] |= step.guard;
        }
      }
    }
  }
  // Does q have a step wherever p has one?
  bool covers(unsigned q, unsigned p) const {
    const Mask* wanted = &events[p * letters];
    const Mask* offered = &events[q * letters];
    for (std::size_t l = 0; l < letters; ++l) {
      if ((wanted[l] & ~offered[l]) != 0) return false;
    }
    return true;
  }

  std::size_t letters;
  std::vector<Mask> events;
};

}  // namespace

Simulation::Simulation(const Automaton& automaton, unsigned most)
    : states_(automaton.size()), words_((automaton.size() + 63) / 64), rows_(states_ * words_, 0) {
  for (unsigned p = 0; p < states_; ++p) add(p, p);
  std::vector<std::vector<unsigned>> pending(states_);
  if (states_ <= most) pending = candidates(automaton);
  // A pair is looked at again only if one of a state that its first one steps to has gone.
  std::vector<bool> changed(states_, true);
  for (bool more = true; more;) {
    more = false;
    std::vector<bool> changing(states_, false);
    for (unsigned p = 0; p < states_; ++p) {
      if (pending[p].empty()) continue;
      TimeLimit::check();
      const auto& steps = automaton.steps[p];
      if (std::none_of(steps.begin(), steps.end(), [&](const Step& s) { return changed[s.to] || changing[s.to]; })) continue;
      const auto fails = [&](unsigned q) {
        if (answers(automaton, p, q)) return false;
        remove(p, q);
        return true;
      };
      if (std::erase_if(pending[p], fails) == 0) continue;
      changing[p] = true;
      more = true;
    }
    changed = std::move(changing);
  }
  below_.assign(rows_.size(), 0);
  better_.assign(rows_.size(), 0);
  for (unsigned p = 0; p < states_; ++p) {
    below_[p * words_ + p / 64] |= std::uint64_t{1} << (p % 64);
    for (const unsigned q : pending[p]) {
      below_[q * words_ + p / 64] |= std::uint64_t{1} << (p % 64);
      if (q < p || !above(p, q)) better_[p * words_ + q / 64] |= std::uint64_t{1} << (q % 64);
    }
  }
}

// The states that may be above each, by their first steps.
std::vector<std::vector<unsigned>> Simulation::candidates(const Automaton& automaton) {
  const Enabled enabled(automaton);
  std::vector<std::vector<unsigned>> result(states_);
  for (unsigned p = 0; p < states_; ++p) {
    for (unsigned q = 0; q < states_; ++q) {
      if (p == q || (automaton.accept[p] & ~automaton.accept[q]) != 0 || !enabled.covers(q, p)) continue;
      add(p, q);
      result[p].push_back(q);
    }
  }
  return result;
}

bool Simulation::answers(const Automaton& automaton, unsigned p, unsigned q) const {
  return std::all_of(automaton.steps[p].begin(), automaton.steps[p].end(),
                     [&](const Step& step) { return answersStep(automaton, step, q); });
}

bool Simulation::answersStep(const Automaton& automaton, const Step& step, unsigned q) const {
  for (const Step& other : automaton.steps[q]) {
    if ((step.guard & ~other.guard) == 0 && hasAll(other.letters, step.letters) && above(other.to, step.to)) return true;
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
