// Leaks: heap blocks that nothing can free any more when the program ends.
//
// As leak checkers do, a block counts as leaked if it is alive at the end and no pointer to it is found, directly or through
// other blocks, in the program's globals and in the thread_locals of threads that have not ended. Or, if that is asked for,
// if it is alive at the end.
#pragma once

#include <optional>
#include <vector>

#include "graph/execution_view.h"
#include "memory/memory.h"
#include "runtime/native_program.h"

namespace heddle::runtime {

std::optional<memory::Allocation> findLeak(const ExecutionView& graph, const NativeProgram& program);
// The first one that is alive.
std::optional<memory::Allocation> firstAllocated(const NativeProgram& program);

// The atomic locations that some write gives a pointer to such a block: what they hold at the end decides what is leaked.
std::vector<ByteRange> heapPointers(const ExecutionView& graph, const NativeProgram& program);

}  // namespace heddle::runtime
