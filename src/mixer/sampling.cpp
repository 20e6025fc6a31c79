#include "mixer/sampling.h"

#include "explore/explorer.h"
#include "mixer/mixed_explorer.h"

namespace heddle {

namespace {

template <class Function>
bool withSplitter(Divisible& exploration, const Function& function) {
  if (auto* const explorer = dynamic_cast<Explorer*>(&exploration)) return function(Splitter<Explorer>(), *explorer);
  return function(Splitter<MixedExplorer>(), dynamic_cast<MixedExplorer&>(exploration));
}

}  // namespace

bool expand(Divisible& exploration, const Node& node, const NodeVisitor& child) {
  return withSplitter(exploration, [&](auto splitter, auto& explorer) { return splitter.expand(explorer, node, child); });
}

bool report(Divisible& exploration, const Node& node) {
  return withSplitter(exploration, [&](auto splitter, auto& explorer) { return splitter.report(explorer, node); });
}

}  // namespace heddle
