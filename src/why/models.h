// Which of the built-in models allow an execution, with the orders as they are.
//
// Models of machines order what depends on each other, and nobody has noted what values depended on. So such a model is asked
// twice: if it forbids the execution although nothing depends on anything, it forbids it; if it allows it although everything
// depends on all that was read before, it allows it. In between, it is a matter of how values were computed.
#pragma once

#include <vector>

#include "trace/why.h"
#include "why/relabelled.h"

namespace heddle::why {

// From the strongest on. `mixedSizes`: only models that define those.
std::vector<trace::Why::ModelVerdict> judgeByModels(const Graph& graph, bool mixedSizes);

}  // namespace heddle::why
