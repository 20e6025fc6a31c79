#include "prove/automaton.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "prove/simulation.h"
#include "prove/time_limit.h"
#include "util/hash.h"

namespace heddle::prove {

unsigned NetBuilder::addNode() {
  edges_.emplace_back();
  return static_cast<unsigned>(edges_.size() - 1);
}
void NetBuilder::addTest(unsigned from, unsigned to, Mask mask) {
  if (mask != 0) edges_[from].push_back({to, true, mask});
}
void NetBuilder::addLetters(unsigned from, unsigned to, LetterSet set) {
  if (set != 0) edges_[from].push_back({to, false, set});
}

Piece NetBuilder::never() {
  const unsigned from = addNode();
  return {from, addNode()};
}
Piece NetBuilder::test(Mask mask) {
  const Piece piece = never();
  addTest(piece.from, piece.to, mask);
  return piece;
}
Piece NetBuilder::letters(LetterSet set) {
  const Piece piece = never();
  addLetters(piece.from, piece.to, set);
  return piece;
}
Piece NetBuilder::unite(const Piece& a, const Piece& b) {
  const Piece piece = never();
  for (const Piece& part : {a, b}) {
    addTest(piece.from, part.from, atoms_.all());
    addTest(part.to, piece.to, atoms_.all());
  }
  return piece;
}
Piece NetBuilder::sequence(const Piece& a, const Piece& b) {
  addTest(a.to, b.from, atoms_.all());
  return {a.from, b.to};
}
Piece NetBuilder::star(const Piece& a) {
  const unsigned middle = addNode();
  const Piece piece = never();
  addTest(piece.from, middle, atoms_.all());
  addTest(middle, a.from, atoms_.all());
  addTest(a.to, middle, atoms_.all());
  addTest(middle, piece.to, atoms_.all());
  return piece;
}
Piece NetBuilder::plus(const Piece& a) {
  const Piece piece = never();
  addTest(piece.from, a.from, atoms_.all());
  addTest(a.to, a.from, atoms_.all());
  addTest(a.to, piece.to, atoms_.all());
  return piece;
}

Piece NetBuilder::words(const Automaton& automaton) {
  const auto base = static_cast<unsigned>(edges_.size());
  for (unsigned s = 0; s < automaton.size(); ++s) addNode();
  const unsigned end = addNode();
  for (unsigned s = 0; s < automaton.size(); ++s) {
    addTest(base + s, end, automaton.accept[s]);
    for (const Step& step : automaton.steps[s]) {
      unsigned from = base + s;
      if (step.guard != atoms_.all()) {
        from = addNode();
        addTest(base + s, from, step.guard);
      }
      addLetters(from, base + step.to, step.letters);
    }
  }
  return {base, end};
}

Piece NetBuilder::transduce(const Piece& piece, unsigned states, const Machine& move, const std::vector<bool>& accepting) {
  std::map<std::pair<unsigned, unsigned>, unsigned> known;
  std::vector<std::pair<unsigned, unsigned>> work;
  const auto nodeOf = [&](unsigned node, unsigned state) {
    const auto [it, fresh] = known.try_emplace({node, state}, 0);
    if (fresh) {
      it->second = addNode();
      work.emplace_back(node, state);
    }
    return it->second;
  };
  const unsigned from = nodeOf(piece.from, 0);
  const unsigned to = addNode();
  while (!work.empty()) {
    const auto [node, state] = work.back();
    work.pop_back();
    const unsigned self = known.at({node, state});
    if (node == piece.to && state < states && accepting[state]) addTest(self, to, atoms_.all());
    const std::vector<Edge> edges = edges_[node];
    for (const Edge& edge : edges) {
      if (edge.isTest) {
        addTest(self, nodeOf(edge.to, state), edge.set);
        continue;
      }
      std::map<unsigned, LetterSet> next;
      for (unsigned l = 0; l < kLetters; ++l) {
        if ((edge.set >> l & 1) == 0) continue;
        for (const Move& m : move(state, static_cast<Letter>(l))) {
          if (m.emit.size() == 1) {
            next[m.state] |= only(m.emit[0]);
            continue;
          }
          unsigned at = self;
          for (std::size_t i = 0; i < m.emit.size(); ++i) {
            const unsigned to_ = i + 1 == m.emit.size() ? nodeOf(edge.to, m.state) : addNode();
            addLetters(at, to_, only(m.emit[i]));
            at = to_;
          }
        }
      }
      for (const auto& [nextState, set] : next) addLetters(self, nodeOf(edge.to, nextState), set);
    }
  }
  return {from, to};
}

Automaton NetBuilder::normalForm(const Piece& piece, bool ends) const {
  // A state is a node that a letter leads to and the events that it can lead to.
  std::map<std::pair<unsigned, Mask>, unsigned> known;
  std::vector<std::pair<unsigned, Mask>> states;
  const auto stateOf = [&](unsigned node, Mask events) {
    const auto [it, fresh] = known.try_emplace({node, events}, static_cast<unsigned>(states.size()));
    if (fresh) states.emplace_back(node, events);
    return it->second;
  };
  std::vector<Mask> domain(kLetters, atoms_.all());
  std::vector<Mask> range(kLetters, atoms_.all());
  for (unsigned l = 0; ends && l < kLetters; ++l) {
    domain[l] = atoms_.domain(l);
    range[l] = atoms_.range(l);
  }
  Automaton result;
  stateOf(piece.from, atoms_.all());
  for (std::size_t s = 0; s < states.size(); ++s) {
    TimeLimit::check();
    const auto [node, events] = states[s];
    // The nodes that test edges reach from here, each with the events for which they do.
    std::map<unsigned, Mask> reach{{node, events}};
    std::vector<unsigned> work{node};
    while (!work.empty()) {
      const unsigned at = work.back();
      work.pop_back();
      for (const Edge& edge : edges_[at]) {
        if (!edge.isTest) continue;
        Mask& mask = reach[edge.to];
        const Mask more = mask | (reach[at] & edge.set);
        if (more == mask) continue;
        mask = more;
        work.push_back(edge.to);
      }
    }
    std::map<std::pair<unsigned, Mask>, LetterSet> out;
    for (const auto& [at, mask] : reach) {
      for (const Edge& edge : edges_[at]) {
        if (edge.isTest) continue;
        std::map<std::pair<Mask, Mask>, LetterSet> byEnds;
        for (unsigned l = 0; l < kLetters; ++l) {
          if ((edge.set >> l & 1) != 0 && (mask & domain[l]) != 0) byEnds[{mask & domain[l], range[l]}] |= LetterSet{1} << l;
        }
        for (const auto& [masks, set] : byEnds) {
          if (!ends || (set & kBrackets) == 0) {
            out[{stateOf(edge.to, masks.second), masks.first}] |= set;
            continue;
          }
          // A bracket stays at its event.
          if ((set & ~kBrackets) != 0) out[{stateOf(edge.to, masks.second), masks.first}] |= set & ~kBrackets;
          for (unsigned a = 0; a < atoms_.size(); ++a) {
            const Mask one = Mask{1} << a;
            if ((masks.first & one) != 0) out[{stateOf(edge.to, one), one}] |= set & kBrackets;
          }
        }
      }
    }
    result.steps.emplace_back();
    for (const auto& [key, set] : out) result.steps.back().push_back({key.second, set, key.first});
    const auto accepts = reach.find(piece.to);
    result.accept.push_back(accepts == reach.end() ? 0 : accepts->second);
  }
  return result;
}

namespace {

Automaton keep(const Automaton& automaton, const std::vector<bool>& kept) {
  std::vector<unsigned> renamed(automaton.size(), 0);
  unsigned count = 0;
  for (unsigned s = 0; s < automaton.size(); ++s) {
    if (kept[s] || s == 0) renamed[s] = count++;
  }
  Automaton result;
  result.steps.reserve(count);
  for (unsigned s = 0; s < automaton.size(); ++s) {
    if (!kept[s] && s != 0) continue;
    result.accept.push_back(automaton.accept[s]);
    result.steps.emplace_back().reserve(automaton.steps[s].size());
    for (Step step : automaton.steps[s]) {
      if (!kept[step.to]) continue;
      step.to = renamed[step.to];
      result.steps.back().push_back(step);
    }
  }
  return result;
}

}  // namespace

Automaton trimmed(const Automaton& automaton) {
  const unsigned n = automaton.size();
  std::vector<std::vector<unsigned>> before(n);
  std::vector<bool> useful(n, false);
  std::vector<unsigned> back;
  for (unsigned s = 0; s < n; ++s) {
    for (const Step& step : automaton.steps[s]) before[step.to].push_back(s);
    useful[s] = automaton.accept[s] != 0;
    if (useful[s]) back.push_back(s);
  }
  while (!back.empty()) {
    const unsigned s = back.back();
    back.pop_back();
    for (const unsigned p : before[s]) {
      if (useful[p]) continue;
      useful[p] = true;
      back.push_back(p);
    }
  }
  std::vector<bool> reached(n, false);
  std::vector<unsigned> work{0};
  reached[0] = true;
  while (!work.empty()) {
    const unsigned s = work.back();
    work.pop_back();
    for (const Step& t : automaton.steps[s]) {
      if (!useful[t.to] || reached[t.to]) continue;
      reached[t.to] = true;
      work.push_back(t.to);
    }
  }
  for (unsigned s = 0; s < n; ++s) reached[s] = reached[s] && useful[s];
  return keep(automaton, reached);
}

namespace {

// The steps of a state, or to it, as guards by letter and block, so that equal behaviours compare equal: sorted, of
// each letter and block one.
using Behaviour = std::vector<std::pair<std::uint64_t, Mask>>;

std::size_t hashOf(unsigned block, const Behaviour& behaviour) {
  std::uint64_t hash = block;
  for (const auto& [place, mask] : behaviour) hash = util::mix(util::mix(hash, place), mask);
  return hash;
}

void normalise(Behaviour& steps) {
  std::sort(steps.begin(), steps.end());
  std::size_t size = 0;
  for (const auto& step : steps) {
    if (size != 0 && steps[size - 1].first == step.first) {
      steps[size - 1].second |= step.second;
    } else {
      steps[size++] = step;
    }
  }
  steps.resize(size);
}

Automaton mergeBy(const Automaton& automaton, const std::vector<unsigned>& block, unsigned blocks) {
  std::vector<Behaviour> out(blocks);
  Automaton result;
  result.steps.resize(blocks);
  result.accept.assign(blocks, 0);
  for (unsigned s = 0; s < automaton.size(); ++s) {
    result.accept[block[s]] |= automaton.accept[s];
    for (const Step& step : automaton.steps[s]) {
      for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
        const auto letter = static_cast<std::uint64_t>(std::countr_zero(rest));
        out[block[s]].emplace_back(std::uint64_t{block[step.to]} << 8 | letter, step.guard);
      }
    }
  }
  for (unsigned b = 0; b < blocks; ++b) {
    std::map<std::pair<unsigned, Mask>, LetterSet> grouped;
    normalise(out[b]);
    for (const auto& [place, guard] : out[b]) {
      grouped[{static_cast<unsigned>(place >> 8), guard}] |= LetterSet{1} << (place & 0xff);
    }
    for (const auto& [key, set] : grouped) result.steps[b].push_back({key.second, set, key.first});
  }
  return result;
}

template <typename Signature>
Automaton mergeBlocks(const Automaton& automaton, bool forward, Signature initial) {
  const unsigned n = automaton.size();
  std::vector<unsigned> block(n);
  std::map<std::pair<Mask, bool>, unsigned> first;
  for (unsigned s = 0; s < n; ++s) {
    block[s] = first.try_emplace(initial(s), static_cast<unsigned>(first.size())).first->second;
  }
  std::vector<Behaviour> behaviour(n);
  std::vector<std::size_t> hash(n);
  const auto hashAt = [&](unsigned s) { return hash[s]; };
  const auto same = [&](unsigned s, unsigned t) { return block[s] == block[t] && behaviour[s] == behaviour[t]; };
  for (std::size_t blocks = first.size();;) {
    for (Behaviour& steps : behaviour) steps.clear();
    for (unsigned s = 0; s < n; ++s) {
      TimeLimit::check();
      for (const Step& step : automaton.steps[s]) {
        const std::uint64_t other = block[forward ? step.to : s];
        for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
          const auto letter = static_cast<std::uint64_t>(std::countr_zero(rest));
          behaviour[forward ? s : step.to].emplace_back(other << 8 | letter, step.guard);
        }
      }
    }
    std::unordered_map<unsigned, unsigned, decltype(hashAt), decltype(same)> seen(n, hashAt, same);
    std::vector<unsigned> next(n);
    for (unsigned s = 0; s < n; ++s) {
      normalise(behaviour[s]);
      hash[s] = hashOf(block[s], behaviour[s]);
      next[s] = seen.try_emplace(s, static_cast<unsigned>(seen.size())).first->second;
    }
    const bool stable = seen.size() == blocks;
    blocks = seen.size();
    block = std::move(next);
    if (stable) return mergeBy(automaton, block, static_cast<unsigned>(blocks));
  }
}

// Blocks are numbered by their first state, so state 0 stays state 0 in both.
Automaton mergeFutures(const Automaton& a) {
  return mergeBlocks(a, true, [&](unsigned s) { return std::pair{a.accept[s], false}; });
}
Automaton mergePasts(const Automaton& a) {
  return mergeBlocks(a, false, [&](unsigned s) { return std::pair{Mask{0}, s == 0}; });
}

Automaton reversed(const Automaton& automaton) {
  Automaton result;
  result.steps.resize(automaton.size());
  result.accept.assign(automaton.size(), 0);
  result.accept[0] = ~Mask{0};
  for (unsigned s = 0; s < automaton.size(); ++s) {
    for (const Step& step : automaton.steps[s]) result.steps[step.to].push_back({step.guard, step.letters, s});
  }
  return result;
}

// Merges states that are above each other, and removes steps beside which there is a better one from or, with
// `backward`, to the same state.
Automaton mergeSimilar(const Automaton& automaton, bool backward) {
  Automaton turned = backward ? reversed(automaton) : automaton;
  const Simulation simulation(turned);
  const unsigned n = automaton.size();
  std::vector<unsigned> block(n);
  unsigned blocks = 0;
  for (unsigned s = 0; s < n; ++s) {
    unsigned first = 0;
    while (first < s && !(simulation.above(first, s) && simulation.above(s, first))) ++first;
    block[s] = first < s ? block[first] : blocks++;
  }
  for (auto& steps : turned.steps) {
    std::vector<Step> kept;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto better = [&](std::size_t a, std::size_t b) {
        return (steps[b].guard & ~steps[a].guard) == 0 && hasAll(steps[a].letters, steps[b].letters) &&
               simulation.above(steps[a].to, steps[b].to);
      };
      bool superfluous = false;
      for (std::size_t j = 0; j < steps.size() && !superfluous; ++j) {
        superfluous = j != i && better(j, i) && (!better(i, j) || j < i);
      }
      if (!superfluous) kept.push_back(steps[i]);
    }
    steps = std::move(kept);
  }
  Automaton result{std::vector<std::vector<Step>>(n), automaton.accept};
  for (unsigned s = 0; s < n; ++s) {
    for (const Step& step : turned.steps[s]) {
      result.steps[backward ? step.to : s].push_back({step.guard, step.letters, backward ? s : step.to});
    }
  }
  return mergeBy(result, block, blocks);
}

}  // namespace

Automaton reduce(const Automaton& automaton) {
  constexpr unsigned kMost = 2500;  // more states take too long to compare
  Automaton result = trimmed(automaton);
  while (true) {
    const unsigned before = result.size();
    result = mergePasts(mergeFutures(result));
    if (result.size() < before) continue;
    if (result.size() > kMost) return result;
    result = trimmed(mergeSimilar(mergeSimilar(result, false), true));
    if (result.size() == before) return result;
  }
}

bool isEmpty(const Automaton& automaton) {
  const Automaton useful = trimmed(automaton);
  return useful.size() == 1 && useful.accept[0] == 0 && useful.steps[0].empty();
}

}  // namespace heddle::prove
