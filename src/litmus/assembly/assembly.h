// Assembly litmus tests: the format of the simulators for AArch64, PPC, RISCV, X86 and X86_64, compiled to the bytecode that
// tests in C are compiled to.
//
//     AArch64 MP+dmb.sys
//     { 0:X1=x; 0:X3=y;             registers have numbers or addresses of locations; what is not given is 0
//       1:X1=y; 1:X3=x; }
//      P0          | P1          ;
//      MOV W0,#1   | LDR W0,[X1] ;
//      STR W0,[X1] | DMB SY      ;
//      DMB SY      | LDR W2,[X3] ;
//      MOV W2,#1   |             ;
//      STR W2,[X3] |             ;
//     exists (1:X0=1 /\ 1:X2=0)
//
// Accesses are atomic: no test has data races. `final` is read as `exists`, and a `filter` as a part of the condition.
#pragma once

#include <string_view>

#include "litmus/bytecode.h"
#include "litmus/header.h"
#include "litmus/source.h"
#include "litmus/syntax.h"

namespace heddle::litmus {

struct AssembledTest {
  Syntax syntax;  // name, locations, what is observed, condition; no trees
  Code code;
  std::string_view model;  // that the test is about
};

// Throws LitmusError, also if there is no such machine.
AssembledTest assemble(const SourceFile& file, const Header& header);

}  // namespace heddle::litmus
