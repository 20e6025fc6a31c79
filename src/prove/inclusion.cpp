#include "prove/inclusion.h"

#include <algorithm>
#include <bit>
#include <map>

#include "prove/simulation.h"

namespace heddle::prove {

namespace {

// What the right automaton can be doing: it began in `origin` and is in `at`, and has (phase 1) or has not (phase 0) passed
// the end of a right word. Sorted, as numbers.
using Run = std::uint64_t;
using Runs = std::vector<Run>;

constexpr Run runOf(unsigned phase, unsigned origin, unsigned at) {
  return Run{phase} << 62 | Run{origin} << 31 | Run{at};
}
constexpr unsigned phaseOf(Run run) { return static_cast<unsigned>(run >> 62); }
constexpr unsigned originOf(Run run) { return static_cast<unsigned>(run >> 31 & 0x7fffffff); }
constexpr unsigned atOf(Run run) { return static_cast<unsigned>(run & 0x7fffffff); }

// Sets of runs after a step, each with the events for which it is the one.
struct Outcome {
  Mask events;
  Runs runs;
};

// Cuts a set of events where the tests do.
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

class RightSide {
 public:
  // With `cycles`, words may be rotated and repeated.
  RightSide(const Automaton& automaton, bool cycles, const Simulation& simulation)
      : automaton_(automaton), cycles_(cycles), simulation_(simulation), byLetter_(std::size_t{automaton.size()} * kLetters) {
    for (unsigned s = 0; s < automaton.size(); ++s) {
      for (const Step& step : automaton.steps[s]) {
        for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
          byLetter_[index(s, static_cast<unsigned>(std::countr_zero(rest)))].emplace_back(step.guard, step.to);
        }
      }
    }
  }

  Runs start() const {
    Runs runs;
    for (unsigned s = 0; s < (cycles_ ? automaton_.size() : 1); ++s) runs.push_back(runOf(0, s, s));
    return runs;
  }

  std::vector<Outcome> advance(const Runs& runs, Mask events, unsigned letter) const {
    std::vector<std::pair<Mask, Run>> reached;
    for (const Run run : runs) {
      for (const auto& [guard, to] : byLetter_[index(atOf(run), letter)]) {
        if ((guard & events) != 0) reached.emplace_back(guard & events, runOf(phaseOf(run), originOf(run), to));
      }
      const Mask ends = cycles_ && phaseOf(run) == 0 ? automaton_.accept[atOf(run)] & events : 0;
      if (ends == 0) continue;
      for (const auto& [guard, to] : byLetter_[index(0, letter)]) {
        if ((guard & ends) != 0) reached.emplace_back(guard & ends, runOf(1, originOf(run), to));
      }
    }
    std::vector<Mask> guards;
    for (const auto& [guard, run] : reached) guards.push_back(guard);
    std::map<Runs, Mask> outcomes;
    for (const Mask part : cut(events, std::move(guards))) {
      Runs next;
      for (const auto& [guard, run] : reached) {
        if ((guard & part) != 0) next.push_back(run);
      }
      outcomes[best(std::move(next))] |= part;
    }
    std::vector<Outcome> result;
    for (const auto& [set, part] : outcomes) result.push_back({part, set});
    return result;
  }

  // The events of `events` at which the word is not covered if it ends there.
  Mask uncovered(const Runs& runs, Mask events) const {
    std::vector<Mask> ends;
    Mask any = 0;
    for (const Run run : runs) {
      ends.push_back(automaton_.accept[atOf(run)]);
      any |= ends.back();
    }
    if (!cycles_) return events & ~any;
    Mask result = 0;
    for (const Mask part : cut(events, std::move(ends))) {
      if (!closes(runs, part)) result |= part;
    }
    return result;
  }

 private:
  static std::size_t index(unsigned state, unsigned letter) { return std::size_t{state} * kLetters + letter; }

  // Without the runs that another one makes superfluous: one that can do more, from a beginning that asks for less.
  Runs best(Runs runs) const {
    std::sort(runs.begin(), runs.end());
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
    constexpr std::size_t kMost = 400;
    if (runs.size() > kMost) return runs;
    Runs kept;
    for (const Run run : runs) {
      const bool superfluous = std::any_of(runs.begin(), runs.end(), [&](Run other) {
        if (other == run || !better(other, run)) return false;
        return !better(run, other) || other < run;
      });
      if (!superfluous) kept.push_back(run);
    }
    return kept;
  }
  bool better(Run a, Run b) const {
    return phaseOf(a) == phaseOf(b) && simulation_.above(originOf(b), originOf(a)) && simulation_.above(atOf(a), atOf(b));
  }

  // Does the cycle close, at an event of `events`? If a run from o has passed the end of a right word and is now, perhaps after
  // more turns, in a state that can do what o can, then the rest of that right word can follow it there.
  bool closes(const Runs& runs, Mask events) const {
    for (const Run run : runs) {
      if (phaseOf(run) == 1 && returns(runs, atOf(run), originOf(run))) return true;
      if (phaseOf(run) == 0 && (automaton_.accept[atOf(run)] & events) != 0 && returns(runs, 0, originOf(run))) return true;
    }
    return false;
  }
  bool returns(const Runs& runs, unsigned from, unsigned origin) const {
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

  const Automaton& automaton_;
  bool cycles_;
  const Simulation& simulation_;
  std::vector<std::vector<std::pair<Mask, unsigned>>> byLetter_;
};

// A pair on the way: a left state and the runs of the right side; of a cycle, also the events that it can have begun with.
struct Node {
  unsigned state;
  Mask first;
  Runs runs;
  std::uint64_t digest;  // a bit for each run, modulo 64
  std::size_t parent;
  Mask events;  // of the step that led here
  unsigned letter;
};

std::uint64_t digestOf(const Runs& runs) {
  std::uint64_t digest = 0;
  for (const Run run : runs) digest |= std::uint64_t{1} << ((run * 0x9e3779b97f4a7c15ULL) >> 58);
  return digest;
}

class Search {
 public:
  Search(const Automaton& left, const Simulation& leftSimulation, RightSide right, const Atoms& atoms, bool cycles,
         const InclusionLimits& limits)
      : left_(left), right_(std::move(right)), cycles_(cycles), limits_(limits), byState_(left.size()) {
    for (unsigned s = 0; s < left.size(); ++s) above_.push_back(leftSimulation.allAbove(s));
    const Runs start = right_.start();
    for (const Mask first : cycles ? firstEvents(atoms.all()) : std::vector<Mask>{0}) {
      nodes_.push_back({0, first, start, digestOf(start), 0, 0, 0});
    }
    roots_ = nodes_.size();
  }

  InclusionResult run() {
    result_.vacuous = isEmpty(left_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_.size() > limits_.pairs) {
        result_.exhausted = true;
        break;
      }
      if (!checkEnd(i)) break;
      expand(i);
    }
    result_.visited = nodes_.size();
    result_.included = result_.missing.empty() && !result_.exhausted;
    return std::move(result_);
  }

 private:
  // The events that a cycle can begin with, in groups that the left side does not tell apart.
  std::vector<Mask> firstEvents(Mask all) const {
    std::vector<Mask> tests = left_.accept;
    for (const Step& step : left_.steps[0]) tests.push_back(step.guard);
    return cut(all, std::move(tests));
  }

  // False when enough missing words have been collected.
  bool checkEnd(std::size_t index) {
    const Node& node = nodes_[index];
    const Mask ends = left_.accept[node.state] & (cycles_ ? node.first : ~Mask{0});
    if (ends == 0) return true;
    for (Mask rest = right_.uncovered(node.runs, ends); rest != 0; rest &= rest - 1) {
      result_.missing.push_back(wordOf(index, static_cast<unsigned>(std::countr_zero(rest))));
      if (result_.missing.size() >= limits_.missing) return false;
    }
    return true;
  }

  void expand(std::size_t index) {
    for (const Step& step : left_.steps[nodes_[index].state]) {
      for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
        const auto letter = static_cast<unsigned>(std::countr_zero(rest));
        const bool begins = cycles_ && index < roots_;
        const Mask events = begins ? step.guard & nodes_[index].first : step.guard;
        if (events == 0) continue;
        for (Outcome& outcome : right_.advance(nodes_[index].runs, events, letter)) {
          const Mask first = begins ? outcome.events : nodes_[index].first;
          const std::uint64_t digest = digestOf(outcome.runs);
          visit({step.to, first, std::move(outcome.runs), digest, index, outcome.events, letter});
        }
      }
    }
  }

  // Everything that leads from b to a missing word does so from a.
  static bool subsumes(const Node& a, const Node& b) {
    return (a.digest & ~b.digest) == 0 && (b.first & ~a.first) == 0 && a.runs.size() <= b.runs.size() &&
           std::includes(b.runs.begin(), b.runs.end(), a.runs.begin(), a.runs.end());
  }

  void visit(Node node) {
    for (const unsigned s : above_[node.state]) {
      for (const std::size_t other : byState_[s]) {
        if (subsumes(nodes_[other], node)) return;
      }
    }
    auto& chain = byState_[node.state];
    std::erase_if(chain, [&](std::size_t other) { return subsumes(node, nodes_[other]); });
    chain.push_back(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  GuardedWord wordOf(std::size_t index, unsigned last) const {
    GuardedWord word;
    if (!cycles_ || index < roots_) word.atoms.push_back(last);
    for (std::size_t i = index; i >= roots_; i = nodes_[i].parent) {
      word.atoms.push_back(static_cast<unsigned>(std::countr_zero(nodes_[i].events)));
      word.letters.push_back(static_cast<Letter>(nodes_[i].letter));
    }
    std::reverse(word.atoms.begin(), word.atoms.end());
    std::reverse(word.letters.begin(), word.letters.end());
    if (cycles_) word.atoms.front() = last;
    return word;
  }

  const Automaton& left_;
  RightSide right_;
  bool cycles_;
  InclusionLimits limits_;
  std::vector<Node> nodes_;
  std::size_t roots_ = 0;  // the first nodes, before the first event; no other node is like them
  std::vector<std::vector<unsigned>> above_;        // by left state
  std::vector<std::vector<std::size_t>> byState_;
  InclusionResult result_;
};

}  // namespace

InclusionResult includes(const Automaton& left, const Automaton& right, const Atoms& atoms, const InclusionLimits& limits) {
  const Simulation ofLeft(left);
  const Simulation ofRight(right);
  return Search(left, ofLeft, RightSide(right, false, ofRight), atoms, false, limits).run();
}

InclusionResult includesCycles(const Automaton& left, const Automaton& right, const std::vector<Anchor>& anchors,
                               const Atoms& atoms, const InclusionLimits& limits) {
  const Simulation ofRight(right);
  const RightSide plain(right, false, ofRight);
  std::size_t visited = 0;
  // Sets of states are enough when the right rotation is known.
  const auto covered = [&](const Automaton& words, const Simulation& simulation) {
    const InclusionResult result = Search(words, simulation, plain, atoms, true, {limits.pairs, 1}).run();
    visited += result.visited;
    return result.included;
  };
  Automaton rest = left;
  for (const Anchor& anchor : anchors) {
    const Simulation simulation(rest);
    if (covered(rest, simulation)) {
      InclusionResult result;
      result.included = true;
      result.vacuous = isEmpty(left);
      result.visited = visited;
      return result;
    }
    const std::vector<Automaton> parts = rotatedTo(anchor, rest, simulation);
    const bool all = std::all_of(parts.begin(), parts.end(), [&](const Automaton& part) { return covered(part, Simulation(part, 0)); });
    if (all) rest = without(anchor, rest);
  }
  InclusionResult result = Search(rest, Simulation(rest), RightSide(right, true, ofRight), atoms, true, limits).run();
  result.visited += visited;
  result.vacuous = isEmpty(left);
  return result;
}

}  // namespace heddle::prove
