// Writes graphs of mixed sizes as keys: fills in a MixedKey for each execution that the explorer reports.
#include "mixed_explorer.h"

#include <stdexcept>

namespace heddle::oracle {

ExplorerKeys exploreMixedKeys(Program&, const std::string&, const std::string&) {
  throw std::runtime_error("the explorer has no mode for mixed sizes");
}

}  // namespace heddle::oracle
