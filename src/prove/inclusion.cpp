#include "prove/inclusion.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace heddle::prove {

namespace {

using Bits = std::vector<std::uint64_t>;

bool subset(const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & ~b[i]) != 0) return false;
  }
  return true;
}
bool getBit(const std::uint64_t* bits, unsigned i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }
void setBit(std::uint64_t* bits, unsigned i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

// The right automaton as rows of bits: for an atom and a letter, the successors of each state.
class RightTable {
 public:
  RightTable(const Automaton& automaton, const Atoms& atoms)
      : automaton_(automaton), words_((automaton.size() + 63) / 64), rows_(atoms.size() * kLetters) {
    for (unsigned atom = 0; atom < atoms.size(); ++atom) {
      Bits accepting(words_, 0);
      for (unsigned s = 0; s < automaton.size(); ++s) {
        if ((automaton.accept[s] >> atom & 1) != 0) setBit(accepting.data(), s);
      }
      accepting_.push_back(std::move(accepting));
    }
  }

  std::size_t words() const { return words_; }
  unsigned states() const { return automaton_.size(); }
  const Bits& accepting(unsigned atom) const { return accepting_[atom]; }

  // out |= the successors of the states in `from`; true if there are any.
  bool advance(const std::uint64_t* from, unsigned atom, unsigned letter, std::uint64_t* out) {
    const Bits& table = rows(atom, letter);
    bool any = false;
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = from[w]; rest != 0; rest &= rest - 1) {
        const std::size_t state = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        const std::uint64_t* row = &table[state * words_];
        for (std::size_t i = 0; i < words_; ++i) {
          out[i] |= row[i];
          any |= row[i] != 0;
        }
      }
    }
    return any;
  }

 private:
  const Bits& rows(unsigned atom, unsigned letter) {
    Bits& table = rows_[atom * kLetters + letter];
    if (!table.empty()) return table;
    table.assign(automaton_.size() * words_, 0);
    for (unsigned s = 0; s < automaton_.size(); ++s) {
      for (const Step& step : automaton_.steps[s]) {
        if ((step.guard >> atom & 1) != 0 && (step.letters >> letter & 1) != 0) setBit(&table[s * words_], step.to);
      }
    }
    return table;
  }

  const Automaton& automaton_;
  std::size_t words_;
  std::vector<Bits> rows_;
  std::vector<Bits> accepting_;
};

// What the right side can be doing after the word so far.
class WordMachine {
 public:
  explicit WordMachine(RightTable& table) : table_(table) {}

  Bits start() const {
    Bits set(table_.words(), 0);
    setBit(set.data(), 0);
    return set;
  }
  Bits advance(const Bits& set, unsigned atom, unsigned letter) {
    Bits next(table_.words(), 0);
    table_.advance(set.data(), atom, letter, next.data());
    return next;
  }
  bool accepts(const Bits& set, unsigned atom) const {
    const Bits& accepting = table_.accepting(atom);
    for (std::size_t i = 0; i < set.size(); ++i) {
      if ((set[i] & accepting[i]) != 0) return true;
    }
    return false;
  }

 private:
  RightTable& table_;
};

// Two relations between states, row by row: pass 0 has not passed the end of a right word, pass 1 has, once.
class CycleMachine {
 public:
  explicit CycleMachine(RightTable& table) : table_(table), half_(table.states() * table.words()) {}

  Bits start() const {
    Bits set(2 * half_, 0);
    for (unsigned s = 0; s < table_.states(); ++s) setBit(&set[s * table_.words()], s);
    return set;
  }

  Bits advance(const Bits& set, unsigned atom, unsigned letter) {
    Bits here = set;
    wrap(here, atom);
    Bits next(2 * half_, 0);
    const std::size_t words = table_.words();
    for (std::size_t row = 0; row < 2 * table_.states(); ++row) {
      table_.advance(&here[row * words], atom, letter, &next[row * words]);
    }
    return next;
  }

  bool accepts(const Bits& set, unsigned atom) const {
    Bits here = set;
    wrap(here, atom);
    const std::size_t words = table_.words();
    const unsigned n = table_.states();
    for (unsigned origin = 0; origin < n; ++origin) {
      const std::uint64_t* passed = &here[half_ + origin * words];
      if (std::all_of(passed, passed + words, [](std::uint64_t w) { return w == 0; })) continue;
      if (returns(here, passed, origin)) return true;
    }
    return false;
  }

 private:
  // From accepting states to the initial one.
  void wrap(Bits& set, unsigned atom) const {
    const Bits& accepting = table_.accepting(atom);
    const std::size_t words = table_.words();
    for (unsigned origin = 0; origin < table_.states(); ++origin) {
      for (std::size_t i = 0; i < words; ++i) {
        if ((set[origin * words + i] & accepting[i]) == 0) continue;
        setBit(&set[half_ + origin * words], 0);
        break;
      }
    }
  }

  // Do the passes without an end lead from one of `passed` back to the origin?
  bool returns(const Bits& set, const std::uint64_t* passed, unsigned origin) const {
    const std::size_t words = table_.words();
    Bits seen(passed, passed + words);
    std::vector<unsigned> work;
    for (unsigned s = 0; s < table_.states(); ++s) {
      if (getBit(seen.data(), s)) work.push_back(s);
    }
    while (!work.empty()) {
      const unsigned s = work.back();
      work.pop_back();
      if (s == origin) return true;
      for (unsigned t = 0; t < table_.states(); ++t) {
        if (!getBit(&set[s * words], t) || getBit(seen.data(), t)) continue;
        setBit(seen.data(), t);
        work.push_back(t);
      }
    }
    return false;
  }

  RightTable& table_;
  std::size_t half_;
};

// A pair on the way: a left state, the first atom of the word (kAny for words that are not cycles), and the set.
struct Node {
  unsigned state;
  unsigned first;
  Bits set;
  std::size_t parent;
  unsigned atom;    // the step that led here
  unsigned letter;
};

constexpr unsigned kAny = ~0U;

// One atom of each group that no guard of either automaton tells apart.
std::vector<unsigned> representatives(const Automaton& left, const Automaton& right, const Atoms& atoms) {
  std::set<Mask> masks;
  for (const Automaton* automaton : {&left, &right}) {
    masks.insert(automaton->accept.begin(), automaton->accept.end());
    for (const auto& steps : automaton->steps) {
      for (const Step& step : steps) masks.insert(step.guard);
    }
  }
  std::map<std::vector<bool>, unsigned> groups;
  for (unsigned atom = 0; atom < atoms.size(); ++atom) {
    std::vector<bool> signature;
    for (const Mask mask : masks) signature.push_back((mask >> atom & 1) != 0);
    groups.try_emplace(signature, atom);
  }
  std::vector<unsigned> result;
  for (const auto& [signature, atom] : groups) result.push_back(atom);
  std::sort(result.begin(), result.end());
  return result;
}

template <typename Machine>
class Search {
 public:
  Search(const Automaton& left, const Automaton& right, const Atoms& atoms, Machine machine, bool cycles,
         const InclusionLimits& limits)
      : left_(left), atoms_(representatives(left, right, atoms)), machine_(machine), cycles_(cycles), limits_(limits) {}

  InclusionResult run() {
    result_.vacuous = isEmpty(left_);
    if (cycles_) {
      Mask starts = left_.accept[0];
      for (const Step& step : left_.steps[0]) starts |= step.guard;
      for (const unsigned atom : atoms_) {
        if ((starts >> atom & 1) != 0) nodes_.push_back({0, atom, machine_.start(), 0, 0, 0});
      }
    } else {
      nodes_.push_back({0, kAny, machine_.start(), 0, 0, 0});
    }
    roots_ = nodes_.size();
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
  // False when enough missing words have been collected.
  bool checkEnd(std::size_t index) {
    const Node& node = nodes_[index];
    for (const unsigned atom : atoms_) {
      if ((left_.accept[node.state] >> atom & 1) == 0) continue;
      if (cycles_ && atom != node.first) continue;
      if (machine_.accepts(node.set, atom)) continue;
      result_.missing.push_back(wordOf(index, atom));
      if (result_.missing.size() >= limits_.missing) return false;
    }
    return true;
  }

  void expand(std::size_t index) {
    const unsigned state = nodes_[index].state;
    const bool root = index < roots_;
    for (const Step& step : left_.steps[state]) {
      for (const unsigned atom : atoms_) {
        if ((step.guard >> atom & 1) == 0 || (cycles_ && root && atom != nodes_[index].first)) continue;
        for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
          const auto letter = static_cast<unsigned>(std::countr_zero(rest));
          visit({step.to, nodes_[index].first, machine_.advance(nodes_[index].set, atom, letter), index, atom, letter});
        }
      }
    }
  }

  void visit(Node node) {
    auto& chain = byState_[{node.state, node.first}];
    for (const std::size_t other : chain) {
      if (subset(nodes_[other].set, node.set)) return;
    }
    // Pairs with larger sets need not be compared with again. They are expanded all the same: they came first, so the
    // words they lead to may be shorter.
    std::erase_if(chain, [&](std::size_t other) { return subset(node.set, nodes_[other].set); });
    chain.push_back(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  GuardedWord wordOf(std::size_t index, unsigned last) const {
    GuardedWord word;
    if (!cycles_ || index < roots_) word.atoms.push_back(last);
    for (std::size_t i = index; i >= roots_; i = nodes_[i].parent) {
      word.atoms.push_back(nodes_[i].atom);
      word.letters.push_back(static_cast<Letter>(nodes_[i].letter));
    }
    std::reverse(word.atoms.begin(), word.atoms.end());
    std::reverse(word.letters.begin(), word.letters.end());
    return word;
  }

  const Automaton& left_;
  std::vector<unsigned> atoms_;
  Machine machine_;
  bool cycles_;
  InclusionLimits limits_;
  std::vector<Node> nodes_;
  std::size_t roots_ = 0;
  std::map<std::pair<unsigned, unsigned>, std::vector<std::size_t>> byState_;
  InclusionResult result_;
};

}  // namespace

InclusionResult includes(const Automaton& left, const Automaton& right, const Atoms& atoms, const InclusionLimits& limits) {
  RightTable table(right, atoms);
  return Search<WordMachine>(left, right, atoms, WordMachine(table), false, limits).run();
}

InclusionResult includesCycles(const Automaton& left, const Automaton& right, const Atoms& atoms,
                               const InclusionLimits& limits) {
  RightTable table(right, atoms);
  // Often no rotation is needed, and then sets of states are enough.
  InclusionResult result = Search<WordMachine>(left, right, atoms, WordMachine(table), true, {limits.pairs, 1}).run();
  if (result.included) return result;
  return Search<CycleMachine>(left, right, atoms, CycleMachine(table), true, limits).run();
}

}  // namespace heddle::prove
