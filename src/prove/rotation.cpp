#include "prove/rotation.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::prove {

namespace {

// The steps of a state that are no anchor, coming from a letter of `before`.
std::vector<Step> passing(const Anchor& anchor, const std::vector<Step>& steps) {
  std::vector<Step> result;
  for (const Step& step : steps) {
    if ((step.letters & ~anchor.after) != 0) result.push_back({step.guard, step.letters & ~anchor.after, step.to});
    const Mask elsewhere = step.guard & ~anchor.events;
    if (elsewhere != 0 && (step.letters & anchor.after) != 0) {
      result.push_back({elsewhere, step.letters & anchor.after, step.to});
    }
  }
  return result;
}

std::vector<Step> leaving(const Anchor& anchor, const std::vector<Step>& steps) {
  std::vector<Step> result;
  for (const Step& step : steps) {
    const Step begin{step.guard & anchor.events, step.letters & anchor.after, step.to};
    if (begin.guard != 0 && begin.letters != 0) result.push_back(begin);
  }
  return result;
}

}  // namespace

WithoutAnchor without(const Anchor& anchor, const Automaton& automaton) {
  // State 2 * s: no letter of `before` has just been read.
  Automaton result;
  for (unsigned s = 0; s < automaton.size(); ++s) {
    for (const bool after : {false, true}) {
      result.accept.push_back(automaton.accept[s]);
      result.steps.emplace_back();
      for (const Step& step : after ? passing(anchor, automaton.steps[s]) : automaton.steps[s]) {
        const LetterSet before = step.letters & anchor.before;
        if (before != 0) result.steps.back().push_back({step.guard, before, 2 * step.to + 1});
        if (before != step.letters) result.steps.back().push_back({step.guard, step.letters & ~before, 2 * step.to});
      }
    }
  }
  const auto from = [&](const std::vector<Step>& first, Mask accept) {
    Automaton part;
    part.steps.push_back(first);
    part.accept.push_back(accept);
    for (unsigned s = 0; s < result.size(); ++s) {
      part.steps.push_back(result.steps[s]);
      part.accept.push_back(result.accept[s]);
    }
    for (auto& steps : part.steps) {
      for (Step& step : steps) ++step.to;
    }
    return reduce(part);
  };
  return {from(leaving(anchor, result.steps[0]), 0), from(passing(anchor, result.steps[0]), result.accept[0])};
}

bool rotatedTo(const Anchor& anchor, const Automaton& automaton, const Simulation& simulation,
               const std::function<bool(const Automaton&)>& take) {
  const Automaton begun = [&] {  // as above, but not reduced: its states are pairs
    Automaton result;
    for (unsigned s = 0; s < automaton.size(); ++s) {
      for (const bool after : {false, true}) {
        result.accept.push_back(0);
        result.steps.push_back(after ? passing(anchor, automaton.steps[s]) : automaton.steps[s]);
      }
    }
    return result;
  }();
  // States that leave the anchor by the same steps make one part.
  std::map<std::vector<Step>, std::vector<unsigned>> places;
  const unsigned n = automaton.size();
  for (unsigned s = 0; s < n; ++s) {
    std::vector<Step> first = leaving(anchor, automaton.steps[s]);
    std::sort(first.begin(), first.end());
    if (!first.empty()) places[std::move(first)].push_back(s);
  }
  for (const auto& [first, at] : places) {
    const auto arrives = [&, &states = at](unsigned to) {
      return std::any_of(states.begin(), states.end(), [&](unsigned s) { return simulation.above(to, s); });
    };
    // State 0 begins at the anchor, 1 is the anchor again; 2 + t are the states on the way to the old end, 2 + n + 2 *
    // t and the next those from the old beginning back to the anchor.
    Automaton part;
    part.steps.resize(2 + 3 * n);
    part.accept.assign(2 + 3 * n, 0);
    part.accept[1] = ~Mask{0};
    const auto addBack = [&](unsigned self, const Step& step, Mask guard) {
      if (guard == 0) return;
      const LetterSet before = step.letters & anchor.before;
      const unsigned to = 2 + n + 2 * step.to;
      if (before != 0) part.steps[self].push_back({guard, before, to + 1});
      if (before != step.letters) part.steps[self].push_back({guard, step.letters & ~before, to});
      if (before != 0 && arrives(step.to)) part.steps[self].push_back({guard, before, 1});
    };
    const auto addOnward = [&](unsigned self, const std::vector<Step>& steps) {
      for (const Step& step : steps) {
        part.steps[self].push_back({step.guard, step.letters, 2 + step.to});
      }
    };
    addOnward(0, first);
    for (unsigned t = 0; t < n; ++t) {
      addOnward(2 + t, automaton.steps[t]);
      if (automaton.accept[t] == 0) continue;
      for (const Step& step : automaton.steps[0]) addBack(2 + t, step, step.guard & automaton.accept[t]);
    }
    for (unsigned t = 0; t < 2 * n; ++t) {
      for (const Step& step : begun.steps[t]) addBack(2 + n + t, step, step.guard);
    }
    part = trimmed(part);
    if (!isEmpty(part) && !take(part)) return false;
  }
  return true;
}

}  // namespace heddle::prove
