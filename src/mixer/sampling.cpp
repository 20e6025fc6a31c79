#include "mixer/sampling.h"

#include "explore/explorer.h"
#include "mixer/mixed_explorer.h"

namespace heddle {

Descent descend(Divisible& exploration, const Chooser& choose, bool report) {
  if (auto* const explorer = dynamic_cast<Explorer*>(&exploration)) {
    return Splitter<Explorer>::descend(*explorer, choose, report);
  }
  return Splitter<MixedExplorer>::descend(dynamic_cast<MixedExplorer&>(exploration), choose, report);
}

}  // namespace heddle
