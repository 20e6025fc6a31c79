#include "prove/right_side.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "prove/time_limit.h"
#include "util/hash.h"

namespace heddle::prove {

namespace {

constexpr std::uint64_t runOf(unsigned phase, unsigned origin, unsigned at) {
  return std::uint64_t{phase} << 62 | std::uint64_t{origin} << 31 | std::uint64_t{at};
}
constexpr unsigned phaseOf(std::uint64_t run) { return static_cast<unsigned>(run >> 62); }
constexpr unsigned originOf(std::uint64_t run) { return static_cast<unsigned>(run >> 31 & 0x7fffffff); }
constexpr unsigned atOf(std::uint64_t run) { return static_cast<unsigned>(run & 0x7fffffff); }
// Runs of one phase and origin stand together.
constexpr std::uint64_t groupOf(std::uint64_t run) { return run >> 31; }

std::size_t index(unsigned state, unsigned letter) { return std::size_t{state} * kLetters + letter; }

}  // namespace

std::vector<Mask> cut(Mask events, std::vector<Mask> tests) {
  std::sort(tests.begin(), tests.end());
  tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
  std::vector<Mask> parts{events};
  for (const Mask test : tests) {
    const std::size_t count = parts.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Mask inside = parts[i] & test;
      if (inside == 0 || inside == parts[i]) continue;
      parts[i] &= ~test;
      parts.push_back(inside);
    }
  }
  return parts;
}

RightSide::RightSide(const Automaton& automaton, const Simulation& simulation, Reading reading, Mask all)
    : automaton_(automaton),
      simulation_(simulation),
      reading_(reading),
      all_(all),
      byLetter_(std::size_t{automaton.size()} * kLetters) {
  for (unsigned s = 0; s < automaton.size(); ++s) {
    for (const Step& step : automaton.steps[s]) {
      for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
        byLetter_[index(s, static_cast<unsigned>(std::countr_zero(rest)))].emplace_back(step.guard, step.to);
      }
    }
  }
  Runs start;
  const unsigned origins = reading == Reading::rotating ? automaton.size() : 1;
  for (unsigned s = 0; s < origins; ++s) start.push_back(runOf(0, s, s));
  // Runs that have read the last letter first are of phase 1, and have the number of that step for their origin.
  for (unsigned i = 0; i < automaton.steps[0].size() && reading == Reading::joint; ++i) {
    const Step& step = automaton.steps[0][i];
    if ((step.letters & kRf) != 0) start.push_back(runOf(1, i, step.to));
  }
  numberOf(std::move(start));
}

const std::vector<RightSide::Outcome>& RightSide::advance(unsigned set, unsigned letter) {
  if (sets_[set].next[letter] < 0) {
    std::vector<Outcome> outcomes = outcomesOf(sets_[set].runs, letter);
    sets_[set].next[letter] = static_cast<int>(outcomes_.size());
    outcomes_.push_back(std::move(outcomes));
  }
  return outcomes_[static_cast<std::size_t>(sets_[set].next[letter])];
}

std::vector<RightSide::Outcome> RightSide::outcomesOf(const Runs& runs, unsigned letter) {
  TimeLimit::check();
  std::vector<std::pair<Mask, Run>> reached;
  for (const Run run : runs) {
    for (const auto& [guard, to] : byLetter_[index(atOf(run), letter)]) {
      reached.emplace_back(guard, runOf(phaseOf(run), originOf(run), to));
    }
    const bool ends = reading_ == Reading::rotating && phaseOf(run) == 0;
    const Mask end = ends ? automaton_.accept[atOf(run)] : 0;
    if (end == 0) continue;
    for (const auto& [guard, to] : byLetter_[index(0, letter)]) {
      if ((guard & end) != 0) reached.emplace_back(guard & end, runOf(1, originOf(run), to));
    }
  }
  std::vector<Mask> guards;
  for (const auto& [guard, run] : reached) guards.push_back(guard);
  std::map<unsigned, Mask> outcomes;
  for (const Mask part : cut(all_, std::move(guards))) {
    Runs next;
    for (const auto& [guard, run] : reached) {
      if ((guard & part) != 0) next.push_back(run);
    }
    outcomes[numberOf(best(std::move(next)))] |= part;
  }
  std::vector<Outcome> result;
  for (const auto& [set, part] : outcomes) result.push_back({part, set});
  return result;
}

unsigned RightSide::numberOf(Runs runs) {
  std::uint64_t hash = runs.size();
  for (const Run run : runs) hash = util::mix(hash, run);
  std::vector<unsigned>& same = byHash_[hash];
  for (const unsigned known : same) {
    if (sets_[known].runs == runs) return known;
  }
  Set set{.runs = std::move(runs), .digest = 0, .below = {}, .next = {}};
  set.next.fill(-1);
  if (reading_ == Reading::rotating) {
    for (const Run run : set.runs) set.digest |= std::uint64_t{1} << ((run * util::kSpread) >> 58);
  } else {
    const std::size_t words = simulation_.words();
    set.below.assign(words * (reading_ == Reading::joint ? automaton_.steps[0].size() + 1 : 1), 0);
    for (const Run run : set.runs) {
      const std::size_t block = phaseOf(run) == 0 ? 0 : 1 + originOf(run);
      simulation_.addBelow(atOf(run), &set.below[block * words]);
    }
  }
  runs_ += set.runs.size();
  const auto number = static_cast<unsigned>(sets_.size());
  sets_.push_back(std::move(set));
  same.push_back(number);
  return number;
}

bool RightSide::within(unsigned a, unsigned b) const {
  if (a == b) return true;
  const Set& small = sets_[a];
  const Set& large = sets_[b];
  if (reading_ == Reading::rotating) {
    return (small.digest & ~large.digest) == 0 && small.runs.size() <= large.runs.size() &&
           std::includes(large.runs.begin(), large.runs.end(), small.runs.begin(), small.runs.end());
  }
  for (std::size_t w = 0; w < small.below.size(); ++w) {
    if ((small.below[w] & ~large.below[w]) != 0) return false;
  }
  return true;
}

Mask RightSide::closedAtJoint(unsigned set, unsigned letter) const {
  Mask result = 0;
  for (const Run run : sets_[set].runs) {
    if (phaseOf(run) == 0) continue;
    const Step& last = automaton_.steps[0][originOf(run)];
    if ((last.letters >> letter & 1) != 0) result |= automaton_.accept[atOf(run)] & last.guard;
  }
  return result;
}

Mask RightSide::uncovered(unsigned set, Mask events) const {
  const Runs& runs = sets_[set].runs;
  std::vector<Mask> ends;
  Mask any = 0;
  for (const Run run : runs) {
    ends.push_back(automaton_.accept[atOf(run)]);
    if (phaseOf(run) == 0) any |= ends.back();
  }
  if (reading_ != Reading::rotating) return events & ~any;
  Mask result = 0;
  for (const Mask part : cut(events, std::move(ends))) {
    if (!closes(runs, part)) result |= part;
  }
  return result;
}

// Without the runs that another one makes superfluous: one that can do more, from a beginning that asks for less.
RightSide::Runs RightSide::best(Runs runs) const {
  std::sort(runs.begin(), runs.end());
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  if (reading_ == Reading::rotating) return bestOfRotating(runs);
  Runs kept;
  std::vector<unsigned> states;
  for (std::size_t i = 0; i < runs.size();) {
    states.clear();
    const std::size_t first = i;
    for (; i < runs.size() && groupOf(runs[i]) == groupOf(runs[first]); ++i) states.push_back(atOf(runs[i]));
    simulation_.keepBest(states);
    for (const unsigned s : states) kept.push_back(runOf(phaseOf(runs[first]), originOf(runs[first]), s));
  }
  return kept;
}

RightSide::Runs RightSide::bestOfRotating(const Runs& runs) const {
  struct Group {
    std::size_t first;
    std::size_t last;
    std::vector<std::uint64_t> states;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < runs.size();) {
    Group group{i, i, std::vector<std::uint64_t>(simulation_.words(), 0)};
    for (; i < runs.size() && groupOf(runs[i]) == groupOf(runs[group.first]); ++i) {
      group.states[atOf(runs[i]) / 64] |= std::uint64_t{1} << (atOf(runs[i]) % 64);
    }
    group.last = i;
    groups.push_back(std::move(group));
  }
  // Of each group, what it does not have by itself already, and the groups that may have something better.
  Runs kept;
  for (const Group& group : groups) {
    const unsigned phase = phaseOf(runs[group.first]);
    const unsigned origin = originOf(runs[group.first]);
    std::vector<unsigned> states;
    for (std::size_t i = group.first; i < group.last; ++i) states.push_back(atOf(runs[i]));
    simulation_.keepBest(states);
    for (const Group& other : groups) {
      const unsigned from = originOf(runs[other.first]);
      if (phaseOf(runs[other.first]) != phase || from == origin || !simulation_.above(origin, from)) continue;
      // Of origins that are above each other, the first.
      if (simulation_.above(from, origin) && from > origin) continue;
      std::erase_if(states, [&](unsigned s) { return simulation_.anyAbove(s, other.states.data()); });
      if (states.empty()) break;
    }
    for (const unsigned s : states) kept.push_back(runOf(phase, origin, s));
  }
  return kept;
}

// Does the cycle close, at an event of `events`? If a run from o has passed the end of a right word and is now, perhaps
// after more turns, in a state that can do what o can, then the rest of that right word can follow it there.
bool RightSide::closes(const Runs& runs, Mask events) const {
  for (const Run run : runs) {
    if (phaseOf(run) == 1 && returns(runs, atOf(run), originOf(run))) return true;
    if (phaseOf(run) == 0 && (automaton_.accept[atOf(run)] & events) != 0 && returns(runs, 0, originOf(run))) return true;
  }
  return false;
}
bool RightSide::returns(const Runs& runs, unsigned from, unsigned origin) const {
  std::vector<unsigned> work{from};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (simulation_.above(work[i], origin)) return true;
    for (const Run run : runs) {
      if (phaseOf(run) != 0 || !simulation_.above(work[i], originOf(run))) continue;
      if (std::find(work.begin(), work.end(), atOf(run)) == work.end()) work.push_back(atOf(run));
    }
  }
  return false;
}

RightHand::RightHand(Automaton words, Mask all) : automaton_(std::move(words)), simulation_(automaton_), all_(all) {}

RightSide& RightHand::read(Reading reading) const {
  constexpr std::size_t kMostRuns = 2000000;  // more would take too much memory
  std::unique_ptr<RightSide>& side = sides_[static_cast<std::size_t>(reading)];
  if (side == nullptr || side->runs() > kMostRuns) {
    side = std::make_unique<RightSide>(automaton_, simulation_, reading, all_);
  }
  return *side;
}

}  // namespace heddle::prove
