#include "relations/evaluator.h"

#include <algorithm>
#include <stdexcept>

namespace heddle::relations {

using model::AxiomKind;
using model::Expr;
using model::ExprKind;

Term Evaluator::add(const Expr& expr) {
  TermNode node = termNode(expr, [this](const Expr& arg) { return add(arg); });
  const auto [found, isNew] = known_.try_emplace(node, static_cast<Term>(nodes_.size()));
  if (isNew) nodes_.emplace_back(std::move(node));
  return found->second;
}

void Evaluator::begin(const EventSet& among) {
  among_ = among;
  ++version_;
}

bool Evaluator::axiomsHold() {
  for (std::size_t i = 0; i < axioms_.size(); ++i) {
    if (!holds(i)) return false;
  }
  return true;
}

bool Evaluator::holds(std::size_t axiom) {
  const Node& relation = value(axioms_[axiom].term);
  if (relation.isEmpty) return true;
  switch (axioms_[axiom].kind) {
    case AxiomKind::irreflexive: return !hasLoop(relation.matrix);
    case AxiomKind::empty: return false;
    case AxiomKind::acyclic: return !hasCycle(relation.matrix);
  }
  return false;
}

bool Evaluator::hasLoop(const BitMatrix& matrix) const {
  bool found = false;
  among_.forEach([&](std::size_t i) { found = found || matrix.test(i, i); });
  return found;
}

// Takes away events that lead nowhere, until there are none: what is left is on cycles or leads to one.
bool Evaluator::hasCycle(const BitMatrix& matrix) {
  left_ = among_;
  for (bool changed = true; changed;) {
    changed = false;
    among_.forEach([&](std::size_t i) {
      if (!left_.test(i) || matrix.leadsInto(i, left_)) return;
      left_.clear(i);
      changed = true;
    });
  }
  return !left_.isEmpty();
}

const Evaluator::Node& Evaluator::value(Term term) {
  Node& node = nodes_[term];
  if (node.version != version_) {
    node.matrix.shape(events_.count());
    node.isEmpty = true;
    if (node.matrix.words() == 1) {
      evaluate<1>(node);
    } else {
      evaluate<0>(node);
    }
    node.version = version_;
  }
  return node;
}

void Evaluator::fillMembers(ClassSet set, EventSet& result) const {
  result.reset(events_.count());
  among_.forEach([&](std::size_t i) {
    if (contains(set, events_.classOf(i))) result.set(i);
  });
}

bool Evaluator::hasMembers(Node& bracket) {
  if (bracket.membersVersion != version_) fillMembers(bracket.set, bracket.members);
  bracket.membersVersion = version_;
  return !bracket.members.isEmpty();
}

template <std::size_t kWords, class F>
void Evaluator::combine(BitMatrix& result, const BitMatrix& arg, F&& visit) {
  const std::size_t words = kWords != 0 ? kWords : result.words();
  among_.forEach([&](std::size_t i) {
    std::uint64_t* const to = result.row(i);
    const std::uint64_t* const from = arg.row(i);
    for (std::size_t w = 0; w < words; ++w) visit(to[w], from[w]);
  });
}

template <std::size_t kWords>
bool Evaluator::hasRows(const BitMatrix& matrix) const {
  const std::size_t words = kWords != 0 ? kWords : matrix.words();
  std::uint64_t any = 0;
  among_.forEach([&](std::size_t i) {
    for (std::size_t w = 0; w < words; ++w) any |= matrix.row(i)[w];
  });
  return any != 0;
}

// result ; with, row by row.
template <std::size_t kWords>
void Evaluator::compose(BitMatrix& result, const BitMatrix& with) {
  const std::size_t words = kWords != 0 ? kWords : result.words();
  row_.resize(words);
  among_.forEach([&](std::size_t i) {
    std::uint64_t* const to = result.row(i);
    std::fill_n(row_.data(), words, 0);
    for (std::size_t w = 0; w < words; ++w) {
      for (std::uint64_t rest = to[w]; rest != 0; rest &= rest - 1) {
        const std::uint64_t* middle = with.row(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        for (std::size_t v = 0; v < words; ++v) row_[v] |= middle[v];
      }
    }
    std::copy_n(row_.data(), words, to);
  });
}

template <std::size_t kWords>
void Evaluator::close(BitMatrix& result) {
  const std::size_t words = kWords != 0 ? kWords : result.words();
  among_.forEach([&](std::size_t k) {
    const std::uint64_t* const through = result.row(k);
    among_.forEach([&](std::size_t i) {
      if (!result.test(i, k)) return;
      std::uint64_t* const to = result.row(i);
      for (std::size_t w = 0; w < words; ++w) to[w] |= through[w];
    });
  });
}

template <std::size_t kWords>
void Evaluator::evaluate(Node& node) {
  BitMatrix& result = node.matrix;
  using Word = std::uint64_t;
  const std::size_t words = kWords != 0 ? kWords : result.words();
  const auto clear = [&] { among_.forEach([&](std::size_t i) { std::fill_n(result.row(i), words, 0); }); };
  const auto copy = [&](const Node& from) { combine<kWords>(result, from.matrix, [](Word& to, Word word) { to = word; }); };
  const auto addIdentity = [&] { among_.forEach([&](std::size_t i) { result.set(i, i); }); };
  switch (node.kind) {
    case ExprKind::base:
      if (events_.isEmpty(node.base)) return;
      clear();
      events_.fill(node.base, among_, result);
      break;
    case ExprKind::empty: return;
    case ExprKind::bracket:
      hasMembers(node);
      clear();
      node.members.forEach([&](std::size_t i) { result.set(i, i); });
      break;
    case ExprKind::product: {
      fillMembers(node.set, node.members);
      fillMembers(node.otherSet, left_);
      clear();
      node.members.forEach([&](std::size_t i) { std::copy_n(left_.data(), words, result.row(i)); });
      break;
    }
    case ExprKind::unite: {
      bool first = true;
      for (const Term arg : node.args) {
        const Node& of = value(arg);
        if (of.isEmpty) continue;
        if (first) {
          copy(of);
        } else {
          combine<kWords>(result, of.matrix, [](Word& to, Word word) { to |= word; });
        }
        first = false;
      }
      node.isEmpty = first;
      return;
    }
    case ExprKind::intersect: {
      for (const Term arg : node.args) {
        if (value(arg).isEmpty) return;
      }
      copy(value(node.args[0]));
      for (std::size_t i = 1; i < node.args.size(); ++i) {
        combine<kWords>(result, value(node.args[i]).matrix, [](Word& to, Word word) { to &= word; });
      }
      break;
    }
    case ExprKind::subtract: {
      const Node& of = value(node.args[0]);
      if (of.isEmpty) return;
      copy(of);
      const Node& taken = value(node.args[1]);
      if (!taken.isEmpty) combine<kWords>(result, taken.matrix, [](Word& to, Word word) { to &= ~word; });
      break;
    }
    case ExprKind::complement: {
      const Node& of = value(node.args[0]);
      among_.forEach([&](std::size_t i) { std::copy_n(among_.data(), words, result.row(i)); });
      if (!of.isEmpty) combine<kWords>(result, of.matrix, [](Word& to, Word word) { to &= ~word; });
      break;
    }
    case ExprKind::sequence: return evaluateSequence<kWords>(node);
    case ExprKind::inverse: {
      const Node& of = value(node.args[0]);
      if (of.isEmpty) return;
      clear();
      among_.forEach([&](std::size_t i) {
        among_.forEach([&](std::size_t j) {
          if (of.matrix.test(i, j)) result.set(j, i);
        });
      });
      break;
    }
    case ExprKind::plus:
    case ExprKind::star:
    case ExprKind::optional: {
      const Node& of = value(node.args[0]);
      if (!of.isEmpty) {
        copy(of);
        if (node.kind != ExprKind::optional) close<kWords>(result);
      } else if (node.kind != ExprKind::plus) {
        clear();
      } else {
        return;
      }
      if (node.kind != ExprKind::plus) addIdentity();
      break;
    }
    case ExprKind::domain:
    case ExprKind::range:
    case ExprKind::recursion:
    case ExprKind::variable: throw std::logic_error("a relation of a model that is evaluated by src/enumerate");
  }
  node.isEmpty = !hasRows<kWords>(result);
}

// Sets between relations are not composed but filter.
template <std::size_t kWords>
void Evaluator::evaluateSequence(Node& node) {
  using Word = std::uint64_t;
  BitMatrix& result = node.matrix;
  const std::size_t words = kWords != 0 ? kWords : result.words();
  const auto isBracket = [&](Term term) { return nodes_[term].kind == ExprKind::bracket; };
  for (const Term arg : node.args) {
    if (isBracket(arg) && !hasMembers(nodes_[arg])) return;
  }
  std::size_t first = 0;
  while (first + 1 < node.args.size() && isBracket(node.args[first])) ++first;
  const Node& start = value(node.args[first]);
  if (start.isEmpty) return;
  combine<kWords>(result, start.matrix, [](Word& to, Word word) { to = word; });
  for (std::size_t b = 0; b < first; ++b) {
    const EventSet& from = nodes_[node.args[b]].members;
    among_.forEach([&](std::size_t i) {
      if (!from.test(i)) std::fill_n(result.row(i), words, 0);
    });
  }
  for (std::size_t next = first + 1; next < node.args.size(); ++next) {
    if (isBracket(node.args[next])) {
      const Word* const to = nodes_[node.args[next]].members.data();
      among_.forEach([&](std::size_t i) {
        for (std::size_t w = 0; w < words; ++w) result.row(i)[w] &= to[w];
      });
    } else {
      if (!hasRows<kWords>(result)) return;
      const Node& with = value(node.args[next]);
      if (with.isEmpty) return;
      compose<kWords>(result, with.matrix);
    }
  }
  node.isEmpty = !hasRows<kWords>(result);
}

}  // namespace heddle::relations
