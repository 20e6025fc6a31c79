// A trace of an execution that was put together from runs of its threads (enumerate/enumerate.h).
#pragma once

#include "enumerate/enumerate.h"
#include "litmus/test.h"
#include "trace/execution.h"

namespace heddle::run {

trace::Execution traceOf(const litmus::Test& test, const enumerate::End& end);

}  // namespace heddle::run
