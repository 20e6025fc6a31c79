#include "mixer/sampling.h"

#include "explore/explorer.h"
#include "mixer/mixed_explorer.h"

namespace heddle {

namespace {

template <class Function>
bool withExploration(Divisible& exploration, const Function& function) {
  if (auto* const explorer = dynamic_cast<Explorer*>(&exploration)) return function(Exploration<Explorer>(), *explorer);
  return function(Exploration<MixedExplorer>(), dynamic_cast<MixedExplorer&>(exploration));
}

}  // namespace

bool expand(Divisible& exploration, const Node& node, const NodeVisitor& child) {
  return withExploration(exploration, [&](auto shared, auto& explorer) { return shared.expand(explorer, node, child); });
}

bool report(Divisible& exploration, const Node& node) {
  return withExploration(exploration, [&](auto shared, auto& explorer) { return shared.report(explorer, node); });
}

}  // namespace heddle
