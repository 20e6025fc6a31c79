// What the hooks and the primitives are written with. They run on the fiber of the running thread.
#pragma once

#include "program/operation.h"
#include "runtime/native_program.h"

namespace heddle::runtime {

inline NativeProgram& program() { return *NativeProgram::current(); }
inline RunningThread& running() { return program().running(); }

inline Address addressOf(const void* pointer) { return reinterpret_cast<Address>(pointer); }

}  // namespace heddle::runtime
