#include "model/automaton.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace heddle::model {

namespace {

bool sameAutomaton(const Automaton& a, const Automaton& b);

bool isSame(const FilteredRelation& f, const FilteredRelation& g) {
  return f.filter == g.filter && sameAutomaton(*f.relation, *g.relation);
}

// Equal up to nothing: good enough for the same definition used twice.
bool sameAutomaton(const Automaton& a, const Automaton& b) {
  if (a.accept != b.accept || a.states() != b.states()) return false;
  for (std::size_t s = 0; s < a.states(); ++s) {
    if (a.transitions[s].size() != b.transitions[s].size()) return false;
    for (std::size_t i = 0; i < a.transitions[s].size(); ++i) {
      const Transition &t = a.transitions[s][i], &u = b.transitions[s][i];
      if (t.guard != u.guard || t.letter != u.letter || t.to != u.to) return false;
      if (t.letter == Letter::filtered && !isSame(a.filtered[t.filtered], b.filtered[u.filtered])) return false;
    }
  }
  return true;
}

// A part of the automaton under construction: how it is entered, where it can end, and at which events it
// accepts without an edge.
struct Fragment {
  ClassSet nullable;
  std::vector<std::pair<std::uint16_t, ClassSet>> first, last;
};

class Builder {
 public:
  // `ranges`: add to a state's guards that its event is in the range of the letter that led there. That never changes
  // what a search finds; it makes languages smaller, but also tells states apart that are alike otherwise.
  explicit Builder(bool ranges) : ranges_(ranges) { addState(Letter::po, 0); }

  Fragment build(const Regex& regex) {
    switch (regex.kind) {
      case RegexKind::never: return {};
      case RegexKind::test: return {regex.test, {}, {}};
      case RegexKind::letter: return buildLetter(regex);
      case RegexKind::unite: {
        Fragment a = build(*regex.args[0]), b = build(*regex.args[1]);
        a.nullable |= b.nullable;
        a.first.insert(a.first.end(), b.first.begin(), b.first.end());
        a.last.insert(a.last.end(), b.last.begin(), b.last.end());
        return a;
      }
      case RegexKind::sequence: {
        Fragment a = build(*regex.args[0]), b = build(*regex.args[1]);
        connect(a, b, false);
        Fragment result{a.nullable & b.nullable, a.first, b.last};
        for (auto [state, guard] : b.first) result.first.emplace_back(state, guard & a.nullable);
        for (auto [state, accept] : a.last) result.last.emplace_back(state, accept & b.nullable);
        return result;
      }
      case RegexKind::star: {
        Fragment a = build(*regex.args[0]);
        connect(a, a, false);
        a.nullable = kAllClasses;
        return a;
      }
    }
    return {};
  }

  void connect(const Fragment& a, const Fragment& b, bool wrap) {
    for (auto [from, accept] : a.last) {
      for (auto [to, guard] : b.first) addTransition(from, accept & guard, to, wrap);
    }
  }

  void addTransition(std::uint16_t from, ClassSet guard, std::uint16_t to, bool wrap) {
    if (!guard.empty()) edges_.push_back({{from, to, wrap}, guard});
  }

  Automaton finish(const Fragment& whole) {
    Automaton result;
    result.transitions.resize(letters_.size());
    result.accept.resize(letters_.size());
    result.filtered = filtered_;
    result.accept[0] = whole.nullable;
    for (auto [state, accept] : whole.last) result.accept[state] |= accept;
    for (auto [state, guard] : whole.first) addTransition(0, guard, state, false);
    std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const auto [from, to, wrap] = edges_[i].first;
      ClassSet guard = edges_[i].second;
      while (i + 1 < edges_.size() && edges_[i + 1].first == edges_[i].first) guard |= edges_[++i].second;
      result.transitions[from].push_back({guard, letters_[to].first, letters_[to].second, wrap, to});
    }
    return result;
  }

 private:
  Fragment buildLetter(const Regex& regex) {
    std::uint8_t index = 0;
    if (regex.letter == Letter::filtered)
      index = indexOf({std::make_shared<Automaton>(toAutomaton(regex.args[0])), regex.filter});
    const std::uint16_t state = addState(regex.letter, index);
    return {{}, {{state, infoOf(regex.letter).domain}}, {{state, ranges_ ? infoOf(regex.letter).range : kAllClasses}}};
  }

  // The same relation at several places is one letter: states that only this tells apart are merged.
  std::uint8_t indexOf(const FilteredRelation& relation) {
    const auto known = std::ranges::find_if(filtered_, [&](const FilteredRelation& f) { return isSame(f, relation); });
    if (known == filtered_.end()) {
      filtered_.push_back(relation);
      return static_cast<std::uint8_t>(filtered_.size() - 1);
    }
    return static_cast<std::uint8_t>(known - filtered_.begin());
  }

  std::uint16_t addState(Letter letter, std::uint8_t filteredIndex) {
    letters_.emplace_back(letter, filteredIndex);
    return static_cast<std::uint16_t>(letters_.size() - 1);
  }

  bool ranges_;
  std::vector<std::pair<Letter, std::uint8_t>> letters_;                             // by state: the letter that enters it
  using Edge = std::pair<std::tuple<std::uint16_t, std::uint16_t, bool>, ClassSet>;  // from, to, wrap; guard
  std::vector<Edge> edges_;  // some more than once, with different guards
  std::vector<FilteredRelation> filtered_;
};

// Keeps the states that are marked and renumbers them in order.
Automaton keepStates(const Automaton& automaton, const std::vector<bool>& keep) {
  std::vector<std::uint16_t> number(automaton.states(), 0);
  Automaton result;
  result.form = automaton.form;
  result.filtered = automaton.filtered;
  for (std::size_t s = 0; s < automaton.states(); ++s) {
    if (!keep[s]) continue;
    number[s] = static_cast<std::uint16_t>(result.accept.size());
    result.accept.push_back(automaton.accept[s]);
  }
  for (std::size_t s = 0; s < automaton.states(); ++s) {
    if (!keep[s]) continue;
    auto& out = result.transitions.emplace_back();
    for (Transition t : automaton.transitions[s]) {
      if (!keep[t.to]) continue;
      t.to = number[t.to];
      out.push_back(t);
    }
  }
  return result;
}

// Splits blocks of states by what `signatureOf` says of each. False: nothing has changed.
template <class SignatureOf>
bool refine(std::vector<unsigned>& block, std::size_t& blocks, const SignatureOf& signatureOf) {
  std::map<std::pair<unsigned, decltype(signatureOf(0))>, unsigned> seen;
  std::vector<unsigned> next(block.size());
  for (std::size_t s = 0; s < block.size(); ++s) {
    next[s] = seen.try_emplace({block[s], signatureOf(s)}, static_cast<unsigned>(seen.size())).first->second;
  }
  const bool changes = seen.size() != blocks;
  blocks = seen.size();
  block = next;
  return changes;
}

// Merges states that no continuation tells apart. A wrap transition can do all that the same transition
// without wrap can where any number of words makes a cycle, so the latter is dropped where both exist.
Automaton mergeEquivalent(const Automaton& automaton) {
  using Key = std::tuple<Letter, std::uint8_t, unsigned>;  // letter and block
  using Signature = std::pair<ClassSet, std::map<Key, std::pair<ClassSet, ClassSet>>>;
  std::vector<unsigned> block(automaton.states(), 0);
  std::size_t blocks = 1;
  const auto signatureOf = [&](std::size_t s) {
    Signature signature{automaton.accept[s], {}};
    for (const Transition& t : automaton.transitions[s]) {
      auto& guards = signature.second[{t.letter, t.filtered, block[t.to]}];
      (t.wrap ? guards.first : guards.second) |= t.guard;
    }
    for (auto& [key, guards] : signature.second) {
      if (automaton.form == Form::cycles) guards.second &= ~guards.first;
    }
    return signature;
  };
  while (refine(block, blocks, signatureOf)) {}
  Automaton result;
  result.form = automaton.form;
  result.filtered = automaton.filtered;
  result.transitions.resize(blocks);
  result.accept.resize(blocks);
  std::vector<bool> done(blocks, false);
  for (std::size_t s = 0; s < automaton.states(); ++s) {
    const unsigned b = block[s];
    if (done[b]) continue;
    done[b] = true;
    result.accept[b] = automaton.accept[s];
    for (const auto& [key, guards] : signatureOf(s).second) {
      const auto [letter, filtered, to] = key;
      if (!guards.first.empty())
        result.transitions[b].push_back({guards.first, letter, filtered, true, static_cast<std::uint16_t>(to)});
      if (!guards.second.empty())
        result.transitions[b].push_back({guards.second, letter, filtered, false, static_cast<std::uint16_t>(to)});
    }
  }
  return result;
}

// Forward automata: states that lie on a way from state 0 to acceptance (state 0 always stays).
Automaton trim(const Automaton& automaton) {
  const std::size_t n = automaton.states();
  std::vector<bool> reachable(n, false), useful(n, false);
  std::vector<std::size_t> work{0};
  reachable[0] = true;
  while (!work.empty()) {
    const std::size_t s = work.back();
    work.pop_back();
    for (const Transition& t : automaton.transitions[s]) {
      if (!reachable[t.to]) {
        reachable[t.to] = true;
        work.push_back(t.to);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < n; ++s) {
      bool now = !automaton.accept[s].empty();
      for (const Transition& t : automaton.transitions[s]) now |= useful[t.to];
      if (now && !useful[s]) useful[s] = changed = true;
    }
  }
  std::vector<bool> keep(n);
  for (std::size_t s = 0; s < n; ++s) keep[s] = s == 0 || (reachable[s] && useful[s]);
  return keepStates(automaton, keep);
}

// Which states a way leads to, from each (Warshall's algorithm, a word of states at a time).
class Reachability {
 public:
  explicit Reachability(const Automaton& automaton)
      : words_((automaton.states() + 63) / 64), bits_(automaton.states() * words_, 0) {
    const std::size_t n = automaton.states();
    for (std::size_t s = 0; s < n; ++s) {
      for (const Transition& t : automaton.transitions[s]) bits_[s * words_ + t.to / 64] |= std::uint64_t{1} << t.to % 64;
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        if (!(*this)(i, k)) continue;
        for (std::size_t w = 0; w < words_; ++w) bits_[i * words_ + w] |= bits_[k * words_ + w];
      }
    }
  }

  bool operator()(std::size_t from, std::size_t to) const { return (bits_[from * words_ + to / 64] >> to % 64 & 1) != 0; }

 private:
  std::size_t words_;                // of a row
  std::vector<std::uint64_t> bits_;  // by row
};

// Cyclic automata: the states of strongly connected components that contain a wrap, and the transitions
// inside them.
Automaton trimCycles(const Automaton& automaton) {
  const std::size_t n = automaton.states();
  const Reachability reach(automaton);
  std::vector<bool> keep(n, false);
  for (std::size_t s = 0; s < n; ++s) {
    for (const Transition& t : automaton.transitions[s]) {
      if (!t.wrap || !reach(t.to, s)) continue;
      for (std::size_t u = 0; u < n; ++u) {
        if (u == s || (reach(s, u) && reach(u, s))) keep[u] = true;
      }
    }
  }
  Automaton inner = automaton;
  for (std::size_t s = 0; s < n; ++s) {
    std::erase_if(inner.transitions[s], [&](const Transition& t) { return !reach(t.to, s); });
  }
  return keepStates(inner, keep);
}

Automaton reduced(const Automaton& automaton) {
  return mergeEquivalent(automaton.form == Form::words ? trim(automaton) : trimCycles(automaton));
}

}  // namespace

Automaton toAutomaton(const RegexPtr& regex) {
  Builder builder(true);
  const Fragment whole = builder.build(*regex);
  return reduced(builder.finish(whole));
}

Automaton cyclesOf(const RegexPtr& regex, Form form) {
  Builder builder(false);
  const Fragment whole = builder.build(*regex);
  builder.connect(whole, whole, true);
  Automaton automaton = builder.finish(whole);
  automaton.form = form;
  automaton.transitions[0].clear();
  for (ClassSet& accept : automaton.accept) accept = {};
  return reduced(automaton);
}

Automaton restrictTo(const Automaton& automaton, ClassSet classes) {
  Automaton result = automaton;
  for (auto& transitions : result.transitions) {
    for (Transition& t : transitions) t.guard &= classes;
    std::erase_if(transitions, [](const Transition& t) { return t.guard.empty(); });
  }
  for (ClassSet& accept : result.accept) accept &= classes;
  for (FilteredRelation& f : result.filtered) {
    f.relation = std::make_shared<Automaton>(restrictTo(*f.relation, classes));
  }
  return reduced(result);
}

namespace {

bool matches(Letter actual, Letter pattern) { return actual == pattern || infoOf(actual).within == pattern; }

}  // namespace

Automaton mergeSameWords(const Automaton& automaton) {
  using Incoming = std::set<std::tuple<unsigned, Letter, std::uint8_t, ClassSet>>;
  std::vector<unsigned> block(automaton.states(), 1);
  block[0] = 0;
  std::size_t blocks = automaton.states() > 1 ? 2 : 1;
  const auto refined = [&] {
    std::vector<Incoming> incoming(automaton.states());
    for (std::size_t s = 0; s < automaton.states(); ++s) {
      for (const Transition& t : automaton.transitions[s]) incoming[t.to].insert({block[s], t.letter, t.filtered, t.guard});
    }
    return refine(block, blocks, [&](std::size_t s) { return incoming[s]; });
  };
  while (refined()) {}
  Automaton result;
  result.form = automaton.form;
  result.filtered = automaton.filtered;
  result.transitions.resize(blocks);
  result.accept.resize(blocks);
  for (std::size_t s = 0; s < automaton.states(); ++s) {
    result.accept[block[s]] |= automaton.accept[s];
    for (Transition t : automaton.transitions[s]) {
      t.to = static_cast<std::uint16_t>(block[t.to]);
      auto& out = result.transitions[block[s]];
      if (std::find(out.begin(), out.end(), t) == out.end()) out.push_back(t);
    }
  }
  return result;
}

bool included(const Automaton& a, const Automaton& b, std::string* counterexample) {
  using Node = std::pair<std::uint16_t, std::set<std::uint16_t>>;
  std::map<Node, std::string> seen;  // with the word that leads there, if anybody asks
  std::queue<Node> work;
  const auto visit = [&](const Node& node, const std::string& word) {
    if (seen.try_emplace(node, word).second) work.push(node);
  };
  visit({0, {0}}, "");
  while (!work.empty()) {
    const Node node = work.front();
    work.pop();
    const std::string word = seen[node];
    const auto& [state, others] = node;
    ClassSet accepted;
    for (const std::uint16_t o : others) accepted |= b.accept[o];
    if (!(a.accept[state] & ~accepted).empty()) {
      if (counterexample) *counterexample = word + "[" + classesToString(a.accept[state] & ~accepted) + "]";
      return false;
    }
    for (const Transition& t : a.transitions[state]) {
      for (const Letter letter : partsOf(t.letter)) {
        std::map<std::set<std::uint16_t>, ClassSet> successors;
        const ClassSet from = t.guard & infoOf(letter).domain;
        for (unsigned c = 0; c < kEventClasses; ++c) {
          if (!contains(from, static_cast<EventClass>(c))) continue;
          std::set<std::uint16_t> next;
          for (const std::uint16_t o : others) {
            for (const Transition& u : b.transitions[o]) {
              if (!contains(u.guard, static_cast<EventClass>(c)) || !matches(letter, u.letter)) continue;
              if (letter == Letter::filtered && !isSame(a.filtered[t.filtered], b.filtered[u.filtered])) continue;
              next.insert(u.to);
            }
          }
          successors[next] |= ClassSet::of(c);
        }
        for (const auto& [next, guard] : successors) {
          Transition step = t;
          step.letter = letter;
          step.guard = guard;
          visit({t.to, next}, counterexample ? word + toString(step, a) + " ; " : "");
        }
      }
    }
  }
  return true;
}

std::string classesToString(ClassSet set) {
  static const std::vector<std::pair<ClassSet, const char*>> kKinds = {
      {classes::kRead, "R"},     {classes::kWrite & ~classes::kInitial, "W"},
      {classes::kInitial, "IW"}, {classes::kFence, "F"},
      {classes::kThread, "T"},   {classes::kChoice, "C"}};
  static const std::vector<std::pair<Order, const char*>> kOrderNames = {{Order::relaxed, "RLX"},
                                                                         {Order::acquire, "ACQ"},
                                                                         {Order::release, "REL"},
                                                                         {Order::acq_rel, "ACQ_REL"},
                                                                         {Order::seq_cst, "SC"}};
  const ClassSet live = kAllClasses & ~classes::kChoice;
  if ((set & live) == live) return "_";
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "|") + part; };
  for (const auto& [kind, name] : kKinds) {
    const ClassSet part = set & kind;
    if (part.empty() || kind == classes::kChoice) continue;
    if (part == kind) {
      add(name);
      continue;
    }
#define HEDDLE_ADD_FENCE(id, text) \
  if (!(part & classes::of(MachineFence::id)).empty()) add(text);
    HEDDLE_MACHINE_FENCES(HEDDLE_ADD_FENCE)
#undef HEDDLE_ADD_FENCE
    for (const ClassSet rmw : {kind & classes::kRmw, kind & ~classes::kRmw}) {
      const std::string base = std::string(name) + ((rmw & classes::kRmw).empty() ? "" : "&RMW");
      if (!rmw.empty() && (part & rmw) == rmw) {
        add(base);
        continue;
      }
      for (const auto& [order, orderName] : kOrderNames) {
        if (!(part & rmw & classes::ofOrder(order)).empty()) add(base + "&" + orderName);
      }
      if (!(part & rmw & classes::ofOrder(Order::plain)).empty()) add(base + "&NA");
    }
  }
  return text;
}

std::string toString(const Transition& transition, const Automaton& automaton) {
  std::string text;
  const LetterInfo& letter = infoOf(transition.letter);
  if ((transition.guard & letter.domain) != letter.domain) text = "[" + classesToString(transition.guard) + "];";
  if (transition.letter == Letter::filtered) {
    return text +
           fmt::format("(relation {} {})", transition.filtered, infoOf(automaton.filtered[transition.filtered].filter).text);
  }
  return text + std::string(letter.text);
}

}  // namespace heddle::model
