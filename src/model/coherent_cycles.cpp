#include "model/coherent_cycles.h"

#include <algorithm>

#include "model/automaton.h"

namespace heddle::model {

namespace {

void addAlternatives(const RegexPtr& relation, std::vector<RegexPtr>& result) {
  if (relation->kind != RegexKind::unite) return result.push_back(relation);
  for (const RegexPtr& arg : relation->args) addAlternatives(arg, result);
}

RegexPtr unionOf(const std::vector<RegexPtr>& alternatives) {
  RegexPtr result = never();
  for (const RegexPtr& alternative : alternatives) result = unite(result, alternative);
  return result;
}

bool hasFilter(const RegexPtr& relation) {
  if (relation->kind == RegexKind::letter && relation->letter == Letter::filtered) return true;
  return std::ranges::any_of(relation->args, hasFilter);
}

bool isProgramOrder(const RegexPtr& relation) {
  const Automaton automaton = toAutomaton(relation), order = toAutomaton(programOrder());
  return included(automaton, order) && included(toAutomaton(plus(letter(Letter::poi))), automaton);
}

// A relation that contains this one in coherent graphs, with fewer filters.
RegexPtr widened(const RegexPtr& relation) {
  switch (relation->kind) {
    case RegexKind::never:
    case RegexKind::test: return relation;
    case RegexKind::unite: return unite(widened(relation->args[0]), widened(relation->args[1]));
    case RegexKind::sequence: return sequence(widened(relation->args[0]), widened(relation->args[1]));
    case RegexKind::star: return star(widened(relation->args[0]));
    case RegexKind::letter: break;
  }
  if (relation->letter != Letter::filtered) return relation;
  if (relation->filter != Filter::sameLocation) return widened(relation->args[0]);
  if (!isProgramOrder(relation->args[0])) return relation;
  return unite(unite(coherenceOrder(), readsBefore()), sequence(relation, test(~classes::kWrite)));
}

}  // namespace

RegexPtr withoutImpliedByCoherence(const RegexPtr& relation) {
  std::vector<RegexPtr> parts;
  addAlternatives(relation, parts);
  const Automaton whole = toAutomaton(relation);
  const RegexPtr toLaterWrites = sequence(filtered(programOrder(), Filter::sameLocation), test(classes::kWrite));
  const RegexPtr external =
      unite(filtered(coherenceOrder(), Filter::otherThread), filtered(readsBefore(), Filter::otherThread));
  if (included(toAutomaton(unite(toLaterWrites, external)), whole)) {
    parts.push_back(coherenceOrder());
    parts.push_back(readsBefore());
  }
  for (std::size_t i = parts.size(); i > 0; --i) {
    const RegexPtr part = parts[i - 1];
    if (!hasFilter(part)) continue;
    std::vector<RegexPtr> others = parts;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i - 1));
    if (included(toAutomaton(widened(part)), toAutomaton(plus(unionOf(others))))) parts = std::move(others);
  }
  return unionOf(parts);
}

}  // namespace heddle::model
