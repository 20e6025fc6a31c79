#include "prove/inclusion.h"

#include <algorithm>
#include <bit>
#include <map>

#include "prove/simulation.h"
#include "prove/time_limit.h"

namespace heddle::prove {

namespace {

// What the right automaton can be doing: it began in `origin` and is in `at`, and has (phase 1) or has not (phase 0)
// passed the end of a right word. Sorted, as numbers.
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
  // With `rotating`, words may be rotated and repeated.
  RightSide(const Automaton& automaton, bool rotating, const Simulation& simulation)
      : automaton_(automaton),
        cycles_(rotating),
        simulation_(simulation),
        byLetter_(std::size_t{automaton.size()} * kLetters) {
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
  // Where a cycle closes there may be rf ; rb, which is co: so the last letter, if it is rf, may be read first. Such
  // runs are of phase 1, and have the number of that step for their origin.
  Runs startBeforeJoint() const {
    Runs runs = start();
    for (unsigned i = 0; i < automaton_.steps[0].size(); ++i) {
      const Step& step = automaton_.steps[0][i];
      if ((step.letters & kRf) != 0) runs.push_back(runOf(1, i, step.to));
    }
    return runs;
  }
  // The events at which such a run accepts what comes before the last letter.
  Mask closedAtJoint(const Runs& runs, unsigned letter) const {
    Mask result = 0;
    for (const Run run : runs) {
      if (phaseOf(run) == 0) continue;
      const Step& last = automaton_.steps[0][originOf(run)];
      if ((last.letters >> letter & 1) != 0) result |= automaton_.accept[atOf(run)] & last.guard;
    }
    return result;
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
      if (phaseOf(run) == 0) any |= ends.back();
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
    if (!cycles_ && phaseOf(runs.empty() ? 0 : runs.back()) == 0) {
      simulation_.keepBest(runs);
      return runs;
    }
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
    const bool begins = cycles_ ? simulation_.above(originOf(b), originOf(a)) : originOf(a) == originOf(b);
    return phaseOf(a) == phaseOf(b) && begins && simulation_.above(atOf(a), atOf(b));
  }

  // Does the cycle close, at an event of `events`? If a run from o has passed the end of a right word and is now,
  // perhaps after more turns, in a state that can do what o can, then the rest of that right word can follow it there.
  bool closes(const Runs& runs, Mask events) const {
    for (const Run run : runs) {
      if (phaseOf(run) == 1 && returns(runs, atOf(run), originOf(run))) return true;
      if (phaseOf(run) == 0 && (automaton_.accept[atOf(run)] & events) != 0 && returns(runs, 0, originOf(run)))
        return true;
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

// A pair on the way: a left state and the runs of the right side; of a cycle, also the events that it can have begun
// with.
struct Node {
  unsigned state;
  Mask first;
  Runs runs;
  std::uint64_t digest;  // a bit for each run, modulo 64
  std::size_t parent;
  Mask events;  // of the step that led here
  unsigned letter;
  bool closed;  // the cycle that closes here is covered
};

std::uint64_t digestOf(const Runs& runs) {
  std::uint64_t digest = 0;
  for (const Run run : runs) digest |= std::uint64_t{1} << ((run * 0x9e3779b97f4a7c15ULL) >> 58);
  return digest;
}

class Search {
 public:
  // `joint`: the last letter of a cycle may be read first.
  Search(const Automaton& left, const Simulation& leftSimulation, const RightSide& right, const Atoms& atoms,
         bool cycles, bool joint, const InclusionLimits& limits)
      : left_(left), right_(right), cycles_(cycles), joint_(joint), limits_(limits), byState_(left.size()) {
    for (unsigned s = 0; s < left.size(); ++s) above_.push_back(leftSimulation.allAbove(s));
    const Runs start = joint ? right_.startBeforeJoint() : right_.start();
    for (const Mask first : cycles ? firstEvents(atoms.all()) : std::vector<Mask>{0}) {
      nodes_.push_back({0, first, start, digestOf(start), 0, 0, 0, false});
    }
    roots_ = nodes_.size();
  }

  InclusionResult run() {
    result_.vacuous = isEmpty(left_);
    std::size_t work = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      TimeLimit::check();
      work += nodes_[i].runs.size();
      if (nodes_.size() > limits_.pairs || work > limits_.work) {
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
    if (ends == 0 || node.closed) return true;
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
        const bool joint = joint_ && (left_.accept[step.to] & nodes_[index].first) != 0;
        const Mask closed = joint ? events & right_.closedAtJoint(nodes_[index].runs, letter) : 0;
        for (const Mask part : {events & closed, events & ~closed}) {
          if (part != 0) advance(index, step.to, part, letter, part == closed);
        }
      }
    }
  }

  void advance(std::size_t index, unsigned to, Mask events, unsigned letter, bool closed) {
    const bool begins = cycles_ && index < roots_;
    for (Outcome& outcome : right_.advance(nodes_[index].runs, events, letter)) {
      const Mask first = begins ? outcome.events : nodes_[index].first;
      const std::uint64_t digest = digestOf(outcome.runs);
      visit({to, first, std::move(outcome.runs), digest, index, outcome.events, letter, closed});
    }
  }

  // Everything that leads from b to a missing word does so from a.
  static bool subsumes(const Node& a, const Node& b) {
    return (a.digest & ~b.digest) == 0 && (!a.closed || b.closed) && (b.first & ~a.first) == 0 &&
           a.runs.size() <= b.runs.size() && std::includes(b.runs.begin(), b.runs.end(), a.runs.begin(), a.runs.end());
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
  const RightSide& right_;
  bool cycles_;
  bool joint_;
  InclusionLimits limits_;
  std::vector<Node> nodes_;
  std::size_t roots_ = 0;  // the first nodes, before the first event; no other node is like them
  std::vector<std::vector<unsigned>> above_;        // by left state
  std::vector<std::vector<std::size_t>> byState_;
  InclusionResult result_;
};

}  // namespace

InclusionResult includes(const Automaton& left, const Automaton& right, const Atoms& atoms,
                         const InclusionLimits& limits) {
  const Simulation ofLeft(left);
  const Simulation ofRight(right);
  const RightSide side(right, false, ofRight);
  return Search(left, ofLeft, side, atoms, false, false, limits).run();
}

namespace {

// Is this one cycle covered, in some rotation?
bool coversCycle(const RightSide& right, const GuardedWord& word) {
  Runs runs = right.start();
  for (std::size_t i = 0; i < word.letters.size(); ++i) {
    runs = right.advance(runs, Mask{1} << word.atoms[i], static_cast<unsigned>(word.letters[i])).front().runs;
  }
  return right.uncovered(runs, Mask{1} << word.atoms.front()) == 0;
}

}  // namespace

RightHand::RightHand(Automaton words) : automaton(std::move(words)), simulation(automaton) {}

CycleInclusion::CycleInclusion(Automaton left, const RightHand& right, const Atoms& atoms,
                               const InclusionLimits& limits)
    : rest_(std::move(left)), right_(right), atoms_(atoms), limits_(limits) {
  result_.vacuous = isEmpty(rest_);
}

bool CycleInclusion::covered(const Automaton& words, const Simulation& simulation, bool joint) {
  const RightSide plain(right_.automaton, false, right_.simulation);
  InclusionLimits limits = limits_;
  if (joint) limits.work = std::min<std::size_t>(limits.work, 600000);  // the sets are larger, and this is only a try
  InclusionResult result = Search(words, simulation, plain, atoms_, true, joint, limits).run();
  result_.visited += result.visited;
  suspects_.insert(suspects_.end(), result.missing.begin(), result.missing.end());
  return result.included;
}

bool CycleInclusion::asItStands() {
  const Simulation simulation(rest_);
  result_.included = covered(rest_, simulation, false) || (!hopeless() && covered(rest_, simulation, true));
  return result_.included;
}

namespace {

Automaton united(const Automaton& a, const Automaton& b) {
  Automaton result{{{}}, {a.accept[0] | b.accept[0]}};
  for (const Automaton* part : {&a, &b}) {
    const unsigned base = result.size();
    for (unsigned s = 0; s < part->size(); ++s) {
      result.accept.push_back(part->accept[s]);
      result.steps.push_back(part->steps[s]);
      for (Step& step : result.steps.back()) step.to += base;
    }
    result.steps[0].insert(result.steps[0].end(), result.steps[base].begin(), result.steps[base].end());
  }
  return reduce(result);
}

}  // namespace

bool CycleInclusion::fromAnchors(std::vector<Anchor> anchors) {
  for (std::size_t i = 0; i < anchors.size();) {
    unsigned parts = 0;
    const bool all = rotatedTo(anchors[i], rest_, Simulation(rest_), [&](const Automaton& part) {
      ++parts;
      return covered(part, Simulation(part, 0), false);
    });
    if (!all || parts == 0) {
      ++i;
      continue;
    }
    WithoutAnchor rest = without(anchors[i], rest_);
    const bool begun = covered(rest.beginning, Simulation(rest.beginning), false) ||
                       covered(rest.beginning, Simulation(rest.beginning), true);
    rest_ = begun ? std::move(rest.none) : united(rest.beginning, rest.none);
    if (asItStands()) return true;
    // What is left may be covered from an anchor that was not enough before.
    anchors.erase(anchors.begin() + static_cast<std::ptrdiff_t>(i));
    i = 0;
  }
  return false;
}

bool CycleInclusion::hopeless() {
  // A word that is missing from one rotation need not be missing from all.
  const RightSide rotating(right_.automaton, true, right_.simulation);
  for (GuardedWord& word : suspects_) {
    if (!coversCycle(rotating, word)) result_.missing.push_back(std::move(word));
  }
  suspects_.clear();
  std::stable_sort(result_.missing.begin(), result_.missing.end(),
                   [](const GuardedWord& a, const GuardedWord& b) { return a.letters.size() < b.letters.size(); });
  return !result_.missing.empty();
}

bool CycleInclusion::inAnyRotation() {
  const RightSide rotating(right_.automaton, true, right_.simulation);
  InclusionResult result = Search(rest_, Simulation(rest_), rotating, atoms_, true, false, limits_).run();
  result_.visited += result.visited;
  result_.included = result.included;
  result_.exhausted = result.exhausted;
  result_.missing.insert(result_.missing.end(), result.missing.begin(), result.missing.end());
  return result_.included;
}

}  // namespace heddle::prove
