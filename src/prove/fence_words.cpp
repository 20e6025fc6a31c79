// The fences of a compilation scheme in the words of a left-hand side.
#include <algorithm>
#include <bit>

#include "prove/theory.h"

namespace heddle::prove {

// Writes the fences of the mapping into the words: where a step of program order has some to pass, it passes them.
// Whether it does depends on the event it comes to, so each state is split by what the mapping puts before its event.
Automaton Theory::expandFences(const Automaton& plain) const {
  if (fences_ == nullptr) return plain;
  // A state is split by what stands before its event, so by groups that no group before tells apart.
  std::vector<Mask> targets;
  std::vector<unsigned> examples;
  for (unsigned g = 0; g < fences_->groups.size(); ++g) {
    const auto alike = [&](unsigned other) {
      return std::all_of(fences_->between.begin(), fences_->between.end(),
                         [&](const auto& row) { return row[g] == row[other]; });
    };
    const auto known = std::find_if(examples.begin(), examples.end(), alike);
    if (known != examples.end()) {
      targets[static_cast<std::size_t>(known - examples.begin())] |= fences_->groups[g];
      continue;
    }
    targets.push_back(fences_->groups[g]);
    examples.push_back(g);
  }
  // And a step by what stands behind the event it leaves.
  std::vector<Mask> sources;
  std::vector<unsigned> sourceExamples;
  for (unsigned g = 0; g < fences_->groups.size(); ++g) {
    const auto known = std::find_if(sourceExamples.begin(), sourceExamples.end(),
                                    [&](unsigned other) { return fences_->between[g] == fences_->between[other]; });
    if (known != sourceExamples.end()) {
      sources[static_cast<std::size_t>(known - sourceExamples.begin())] |= fences_->groups[g];
      continue;
    }
    sources.push_back(fences_->groups[g]);
    sourceExamples.push_back(g);
  }
  Automaton result;
  const auto addState = [&](Mask accept) {
    result.steps.emplace_back();
    result.accept.push_back(accept);
    return result.size() - 1;
  };
  const auto count = static_cast<unsigned>(targets.size());
  addState(plain.accept[0]);
  const auto stateOf = [&](unsigned s, unsigned g) { return 1 + s * count + g; };
  for (unsigned s = 0; s < plain.size(); ++s) {
    for (unsigned g = 0; g < count; ++g) addState(plain.accept[s] & targets[g]);
  }
  // A step of program order past fences. A smaller relation says what it is at its ends.
  const auto addPath = [&](unsigned self, Mask guard, Letter letter, const std::vector<Mask>& between, unsigned to) {
    const Letter enter = letter == Letter::poLoc ? Letter::enterLoc : letter == Letter::rfi ? Letter::enterRf : Letter::po;
    const Letter leave = letter == Letter::poLoc ? Letter::leaveLoc : letter == Letter::rfi ? Letter::leaveRf : Letter::po;
    unsigned at = self;
    Mask events = guard;
    for (const Mask fence : between) {
      const unsigned next = addState(0);
      result.steps[at].push_back({events, only(at == self ? enter : Letter::po), next});
      at = next;
      events = fence;
    }
    result.steps[at].push_back({events, only(leave), to});
  };
  constexpr LetterSet kPassing = lettersOf(Letter::po, Letter::poOther, Letter::poLoc, Letter::rfi);
  const auto addSteps = [&](unsigned self, const Step& step, Mask here) {
    for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
      const auto letter = static_cast<Letter>(std::countr_zero(rest));
      for (std::size_t from = 0; from < sources.size(); ++from) {
        const Mask guard = step.guard & here & sources[from];
        if (guard == 0) continue;
        for (unsigned to = 0; to < count; ++to) {
          const std::vector<Mask>& between = fences_->between[sourceExamples[from]][examples[to]];
          if (between.empty() || !has(kPassing, letter)) {
            result.steps[self].push_back({guard, only(letter), stateOf(step.to, to)});
            continue;
          }
          // (If these are the halves of a read-modify-write, the step from one to the other is also in the words as
          // rmw.)
          addPath(self, guard, letter, between, stateOf(step.to, to));
        }
      }
    }
  };
  for (unsigned s = 0; s < plain.size(); ++s) {
    for (const Step& step : plain.steps[s]) {
      if (s == 0) addSteps(0, step, atoms_.all());
      for (unsigned g = 0; g < count; ++g) addSteps(stateOf(s, g), step, targets[g]);
    }
  }
  return reduce(result);
}

}  // namespace heddle::prove
