// What several machines have and write alike, for the tables of their instructions.
#pragma once

#include "litmus/assembly/architecture.h"

namespace heddle::litmus {

// mr rd,rs: a register or a number.
inline void moveOperand(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(2, 2);
  w.move(w.reg(0), w.value(1));
}

// add rd,ra,rb: of a register, and a register or a number.
inline void threeOperands(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(3, 3);
  w.binary(row.op, w.reg(0), w.read(w.reg(1)), w.value(2));
}

inline void loadOperand(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  w.loadFrom(w.reg(0), w.memory(1), row.size, row.order, row.isSigned);
}

inline void storeOperand(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(2, 2);
  w.storeTo(w.memory(1), w.read(w.reg(0)), row.size, row.order);
}

inline void jump(ThreadWriter& w, const AssemblyLine&, const InstructionRow&) {
  w.expectCount(1, 1);
  w.jumpTo(w.name(0));
}

// By what was compared last.
inline void branchOnFlags(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(1, 1);
  w.branch(row.comparison, w.name(0));
}

inline void machineFence(ThreadWriter& w, const AssemblyLine&, const InstructionRow& row) {
  w.expectCount(0, 0);
  w.fence(*row.fence);
}

inline void nothing(ThreadWriter&, const AssemblyLine&, const InstructionRow&) {}

}  // namespace heddle::litmus
