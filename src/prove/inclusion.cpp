#include "prove/inclusion.h"

#include <algorithm>
#include <bit>

#include "prove/simulation.h"
#include "prove/time_limit.h"

namespace heddle::prove {

namespace {

// A pair on the way: a left state and a set of runs of the right side; of a cycle, also the events that it can have
// begun with.
struct Node {
  unsigned state;
  unsigned set;
  Mask first;
  std::size_t parent;
  Mask events;  // of the step that led here
  unsigned letter;
  bool closed;  // the cycle that closes here is covered
};

class Search {
 public:
  // `joint`: the right side is read so.
  Search(const Automaton& left, const Simulation& leftSimulation, RightSide& right, const Atoms& atoms, bool cycles, bool joint,
         const InclusionLimits& limits)
      : left_(left), right_(right), cycles_(cycles), joint_(joint), limits_(limits), byState_(left.size()) {
    for (unsigned s = 0; s < left.size(); ++s) above_.push_back(leftSimulation.allAbove(s));
    for (const Mask first : cycles ? firstEvents(atoms.all()) : std::vector<Mask>{0}) {
      nodes_.push_back({0, right_.start(), first, 0, 0, 0, false});
    }
    roots_ = nodes_.size();
  }

  InclusionResult run() {
    result_.vacuous = isEmpty(left_);
    const std::size_t before = right_.runs();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      TimeLimit::check();
      if (nodes_.size() > limits_.pairs || right_.runs() - before > limits_.work) {
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
    for (Mask rest = right_.uncovered(node.set, ends); rest != 0; rest &= rest - 1) {
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
        const Mask closed = joint ? events & right_.closedAtJoint(nodes_[index].set, letter) : 0;
        for (const Mask part : {events & closed, events & ~closed}) {
          if (part != 0) advance(index, step.to, part, letter, part == closed);
        }
      }
    }
  }

  void advance(std::size_t index, unsigned to, Mask events, unsigned letter, bool closed) {
    const bool begins = cycles_ && index < roots_;
    for (const RightSide::Outcome& outcome : right_.advance(nodes_[index].set, letter)) {
      const Mask part = outcome.events & events;
      if (part != 0) visit({to, outcome.set, begins ? part : nodes_[index].first, index, part, letter, closed});
    }
  }

  // Everything that leads from b to a missing word does so from a.
  bool subsumes(const Node& a, const Node& b) const {
    return (!a.closed || b.closed) && (b.first & ~a.first) == 0 && right_.within(a.set, b.set);
  }

  void visit(const Node& node) {
    for (const unsigned s : above_[node.state]) {
      for (const std::size_t other : byState_[s]) {
        if (subsumes(nodes_[other], node)) return;
      }
    }
    auto& chain = byState_[node.state];
    std::erase_if(chain, [&](std::size_t other) { return subsumes(node, nodes_[other]); });
    chain.push_back(nodes_.size());
    nodes_.push_back(node);
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
  RightSide& right_;
  bool cycles_;
  bool joint_;
  InclusionLimits limits_;
  std::vector<Node> nodes_;
  std::size_t roots_ = 0;                     // the first nodes, before the first event; no other node is like them
  std::vector<std::vector<unsigned>> above_;  // by left state
  std::vector<std::vector<std::size_t>> byState_;
  InclusionResult result_;
};

}  // namespace

InclusionResult includes(const Automaton& left, const RightHand& right, const Atoms& atoms, const InclusionLimits& limits) {
  return Search(left, Simulation(left), right.read(Reading::plain), atoms, false, false, limits).run();
}

namespace {

// Is this one cycle covered, in some rotation?
bool coversCycle(RightSide& right, const GuardedWord& word) {
  unsigned set = right.start();
  for (std::size_t i = 0; i < word.letters.size(); ++i) {
    const auto& outcomes = right.advance(set, static_cast<unsigned>(word.letters[i]));
    set = std::find_if(outcomes.begin(), outcomes.end(), [&](const RightSide::Outcome& outcome) {
            return (outcome.events >> word.atoms[i] & 1) != 0;
          })->set;
  }
  return right.uncovered(set, Mask{1} << word.atoms.front()) == 0;
}

}  // namespace

CycleInclusion::CycleInclusion(Automaton left, const RightHand& right, const Atoms& atoms, const InclusionLimits& limits)
    : rest_(std::move(left)), right_(right), atoms_(atoms), limits_(limits) {
  result_.vacuous = isEmpty(rest_);
}

bool CycleInclusion::covered(const Automaton& words, const Simulation& simulation, bool joint) {
  InclusionLimits limits = limits_;
  if (joint) limits.work = std::min<std::size_t>(limits.work, 600000);  // the sets are larger, and this is only a try
  RightSide& right = right_.read(joint ? Reading::joint : Reading::plain);
  InclusionResult result = Search(words, simulation, right, atoms_, true, joint, limits).run();
  result_.visited += result.visited;
  suspects_.insert(suspects_.end(), result.missing.begin(), result.missing.end());
  return result.included;
}

bool CycleInclusion::wordByWord() {
  result_.included = covered(rest_, Simulation(rest_), false);
  return result_.included;
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
    if (!all) {
      ++i;
      continue;
    }
    WithoutAnchor rest = without(anchors[i], rest_);
    const bool begun = !isEmpty(rest.beginning) && (covered(rest.beginning, Simulation(rest.beginning), false) ||
                                                    covered(rest.beginning, Simulation(rest.beginning), true));
    if (parts == 0 && !begun) {
      ++i;
      continue;
    }
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
  RightSide& rotating = right_.read(Reading::rotating);
  for (GuardedWord& word : suspects_) {
    if (!coversCycle(rotating, word)) result_.missing.push_back(std::move(word));
  }
  suspects_.clear();
  std::stable_sort(result_.missing.begin(), result_.missing.end(),
                   [](const GuardedWord& a, const GuardedWord& b) { return a.letters.size() < b.letters.size(); });
  return !result_.missing.empty();
}

bool CycleInclusion::inAnyRotation() {
  RightSide& rotating = right_.read(Reading::rotating);
  InclusionResult result = Search(rest_, Simulation(rest_), rotating, atoms_, true, false, limits_).run();
  result_.visited += result.visited;
  result_.included = result.included;
  result_.exhausted = result.exhausted;
  result_.missing.insert(result_.missing.end(), result.missing.begin(), result.missing.end());
  return result_.included;
}

}  // namespace heddle::prove
