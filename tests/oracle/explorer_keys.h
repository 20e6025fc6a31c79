// The explorer as the fuzzer sees it: the executions it reports, as the keys of oracle.h, in the order it found
// them and with any that came twice.
#pragma once

#include <string>
#include <vector>

#include "program/program.h"

namespace heddle::oracle {

struct ExplorerKeys {
  std::vector<std::string> keys;  // co-keys under "co", rf-keys under "rf"
  bool race = false;              // a data race was reported; only looked at if the program has plain accesses
};

// `equivalence` is "co" or "rf".
ExplorerKeys exploreKeys(Program& program, const std::string& model, const std::string& equivalence);

}  // namespace heddle::oracle
