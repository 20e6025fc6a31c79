// A claim in words and graphs: what is said of a word that is not covered, and which graphs the claim's assumptions and
// mapping allow.
#include <algorithm>

#include "model/automaton.h"
#include "prove/claim_context.h"

namespace heddle::prove {

std::vector<std::string> ClaimContext::unusedAssumptions() const {
  std::vector<std::string> result;
  for (const AssumeStatement* statement : statements_) {
    bool inclusion = false;
    bool used = false;
    for (const Assumption& assumption : assumptions_) {
      if (assumption.text != statement->text) continue;
      inclusion = true;
      used |= assumption.used;
    }
    if (inclusion && !used) result.push_back(statement->text);
  }
  return result;
}

namespace {

ClassSet classesOf(const Cells& cells) {
  ClassSet classes;
  for (unsigned cell = 0; cell < kCells; ++cell) {
    if (cells[cell]) classes |= ClassSet::of(classOfCell(cell));
  }
  return classes;
}

// A whole kind by its letter; read-modify-writes apart make no difference.
std::string eventsText(ClassSet classes, ClassSet all) {
  std::string text;
  for (const auto& [kind, name] :
       {std::pair(classes::kRead, "R"), std::pair(classes::kWrite, "W"), std::pair(classes::kFence, "F")}) {
    const ClassSet single = kind & all & ~classes::kRmw & ~classes::kInitial;
    const ClassSet pairs = kind & all & classes::kRmw;
    const bool whole = !single.empty() && (classes & single) == single;
    if (!whole && (pairs.empty() || (classes & kind) != pairs)) continue;
    text += (text.empty() ? "" : "|") + std::string(name) + (whole ? "" : "&RMW");
    classes &= ~kind;
  }
  if (classes.empty()) return text;
  return text + (text.empty() ? "" : "|") + model::classesToString(classes);
}

}  // namespace

GuardedWord ClaimContext::sourceWord(const GuardedWord& word) const {
  if (!mapping_) return word;
  const Mask inserted = atoms_->mask(insertedCells());
  const auto isFence = [&](std::size_t i) { return (inserted >> word.atoms[i] & 1) != 0; };
  GuardedWord result;
  const std::size_t count = word.letters.size();
  std::size_t start = 0;
  while (start < count && isFence(start)) ++start;  // only a cycle can begin at one
  for (std::size_t k = 0; k < word.atoms.size(); ++k) {
    const std::size_t i = (start + k) % word.atoms.size();
    if (isFence(i)) continue;
    result.atoms.push_back(word.atoms[i]);
    if (i >= count) continue;
    const Letter letter = word.letters[i];
    const bool past = i + 1 < word.atoms.size() ? isFence(i + 1) : count == word.atoms.size() && isFence(0);
    result.letters.push_back(!past                        ? letter
                             : letter == Letter::enterLoc ? Letter::poLoc
                             : letter == Letter::enterRf  ? Letter::rfi
                                                          : Letter::po);
  }
  return result;
}

std::string ClaimContext::wordText(const GuardedWord& word, bool cycle) const {
  std::string text;
  ClassSet all;
  for (unsigned atom = 0; atom < atoms_->size(); ++atom) all |= classesOf(atoms_->cells(atom));
  const auto event = [&](unsigned atom) { return "[" + eventsText(classesOf(atoms_->cells(atom)), all) + "]"; };
  for (std::size_t i = 0; i < word.atoms.size(); ++i) {
    text += (i == 0 ? "" : " ; ") + event(word.atoms[i]);
    if (i < word.letters.size()) text += " ; " + letterName(word.letters[i], query_.relations);
  }
  return cycle ? text + " (a cycle)" : text;
}

namespace {

bool contained(const Relation& a, const Relation& b) {
  for (unsigned e = 0; e < a.size(); ++e) {
    if ((a.row(e) & ~b.row(e)) != 0) return false;
  }
  return true;
}

}  // namespace

bool ClaimContext::assumptionsHold(const Graph& graph) const {
  const View view = View::plain(query_.sets, query_.relations);
  for (const AssumeStatement* s : statements_) {
    if (s->left->type == model::ExprType::set) {
      const std::uint64_t left = evaluateSet(*s->left, graph, view);
      const std::uint64_t right = evaluateSet(*s->right, graph, view);
      if ((left & ~right) != 0 || (s->kind == AssumeKind::equality && left != right)) return false;
      continue;
    }
    const Relation left = evaluate(*s->left, graph, view);
    switch (s->kind) {
      case AssumeKind::inclusion:
      case AssumeKind::equality: {
        const Relation right = evaluate(*s->right, graph, view);
        if (!contained(left, right) || (s->kind == AssumeKind::equality && !contained(right, left))) return false;
        break;
      }
      case AssumeKind::transitive:
        if (!contained(left.then(left), left)) return false;
        break;
      case AssumeKind::total: {
        const std::uint64_t on = evaluateSet(*s->right, graph, view);
        if (!left.isIrreflexive() || !contained(left.then(left), left)) return false;
        for (unsigned a = 0; a < graph.size(); ++a) {
          for (unsigned b = 0; b < graph.size(); ++b) {
            const bool both = (on >> a & 1) != 0 && (on >> b & 1) != 0 && a != b;
            if (both ? left.has(a, b) == left.has(b, a) : left.has(a, b)) return false;
          }
        }
        break;
      }
      case AssumeKind::irreflexive:
        if (!left.isIrreflexive()) return false;
        break;
      case AssumeKind::acyclic:
        if (!left.plus().isIrreflexive()) return false;
        break;
    }
  }
  return true;
}

// Makes assumptions x <= r and x <= r | s true that are not, by adding pairs to a declared relation on the right.
void ClaimContext::addDeclaredPairs(Graph& graph, unsigned choice) const {
  const View view = View::plain(query_.sets, query_.relations);
  for (const AssumeStatement* s : statements_) {
    if (s->kind != AssumeKind::inclusion || s->left->type == model::ExprType::set) continue;
    std::vector<std::size_t> declared;
    const std::vector<model::ExprPtr> single{s->right};
    for (const auto& part : s->right->kind == model::ExprKind::unite ? s->right->args : single) {
      const auto& names = query_.relations;
      const auto found = std::find(names.begin(), names.end(), part->name);
      if (part->kind == model::ExprKind::base && found != names.end()) {
        declared.push_back(static_cast<std::size_t>(found - names.begin()));
      }
    }
    if (declared.empty()) continue;
    const Relation left = evaluate(*s->left, graph, view);
    const Relation right = evaluate(*s->right, graph, view);
    Relation& target = graph.declared[declared[choice % declared.size()]];
    for (unsigned e = 0; e < graph.size(); ++e) target.row(e) |= left.row(e) & ~right.row(e);
  }
}

std::optional<Graph> ClaimContext::fit(const Graph& graph, unsigned choice) const {
  Graph result = mapping_ ? insertFences(graph, *mapping_) : graph;
  if (result.size() > kMostEvents) return std::nullopt;
  const View view = View::plain(query_.sets, query_.relations);
  constexpr unsigned kMostFences = 8;
  for (unsigned round = 0; round < kMostFences; ++round) {
    bool changed = false;
    for (const auto& [statement, fence] : insertable_) {
      const Relation left = evaluate(*statement->left, result, view);
      const Relation right = evaluate(*statement->right, result, view);
      for (unsigned a = 0; a < result.size() && !changed; ++a) {
        for (unsigned b = 0; b < result.size() && !changed; ++b) {
          if (!left.has(a, b) || right.has(a, b)) continue;
          unsigned cell = 0;
          while (!fence[cell]) ++cell;
          // The strongest kind of fence that fits: cells are in the order of the memory orders.
          for (unsigned other = cell; other < kEventClasses; ++other) {
            if (fence[other]) cell = other;
          }
          result = insertBefore(result, b, cell);
          changed = true;
        }
      }
      if (changed) break;
    }
    if (!changed || result.size() > kMostEvents) break;
  }
  for (unsigned i = 0; i < result.declared.size(); ++i) {
    if ((facts_.transitive & declaredLetter(i)) != 0) result.declared[i] = result.declared[i].plus();
  }
  if (result.size() > kMostEvents) return std::nullopt;
  if (!query_.relations.empty()) addDeclaredPairs(result, choice);
  if (!assumptionsHold(result)) return std::nullopt;
  return result;
}

}  // namespace heddle::prove
