// The explorer in its mode for mixed sizes as the fuzzer sees it: the executions it reports, as the keys of
// mixed_key.h, in the order it found them and with any that came twice. All that the fuzzer knows of that mode is in
// mixed_explorer.cpp.
#pragma once

#include <string>

#include "explorer_keys.h"

namespace heddle::oracle {

// `model`: one of mixedModelNames(). `equivalence`: "co" for keys with coherence, "rf" for those without.
ExplorerKeys exploreMixedKeys(Program& program, const std::string& model, const std::string& equivalence);
// `split`: as in KeyOptions.
ExplorerKeys exploreMixedKeysInParts(Program& program, const std::string& model, const std::string& equivalence,
                                     std::uint64_t split);

// The explorer of transactions, with keys of the same form. Begins and ends are not in them.
ExplorerKeys exploreTransactionKeys(Program& program, const std::string& model, std::uint64_t split = 0);

}  // namespace heddle::oracle
