// What the text of a test in the kernel's dialect says of its values, whatever is read (program/separate_threads.h).
#pragma once

#include <vector>

#include "litmus/kernel/kernel_syntax.h"
#include "program/separate_threads.h"

namespace heddle::litmus {

std::vector<Value> constantsOfBranches(const KernelProgram& program);
std::vector<Counter> countersOf(const KernelProgram& program);

}  // namespace heddle::litmus
