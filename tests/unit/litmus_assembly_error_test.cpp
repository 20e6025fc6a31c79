// Assembly litmus tests that are wrong, or that look odd and are right.
#include <random>

#include "litmus_helpers.h"

namespace heddle::litmus {
namespace {

// A test of one thread from its rows, each a line; X1 is the address of x, X2 that of y.
std::string aarch64(const std::string& rows, const std::string& rest = "exists (x=0)\n") {
  return "AArch64 t\n{ 0:X1=x; 0:X2=y; }\n P0 ;\n" + rows + rest;
}
void fails(const std::string& rows, const std::string& part) { expectError(aarch64(rows), part); }
void works(const std::string& text) { EXPECT_EQ(errorOf(text), "") << text; }

TEST(LitmusAssemblyError, PlaceMnemonicAndHint) {
  EXPECT_EQ(errorOf(aarch64(" MOV W0,#1 ;\n FROB W0,W1 ;\n")),
            "t.litmus:5:2: error: the instruction `frob` of AArch64 is not known\n"
            "   FROB W0,W1 ;\n"
            "   ^\n"
            "  hint: docs/models.md lists those that are; leave it out, or write the test with others");
}

TEST(LitmusAssemblyError, Files) {
  expectError("AArch64\n{}", "the test has no name; it begins with `AArch64 name`");
  expectError("AArch64 t", "expected `{` (the initial state), found the end of the file");
  expectError("AArch64 t\n{ 0:X1=x", "expected `;` after this item of the initial state");
  expectError("AArch64 t\n{ 0:Y1=x; }", "`Y1` is not a register of AArch64");
  expectError("AArch64 t\n{ 300:X1=x; }", "there is no such thread");
  expectError("AArch64 t\n{ 1:X1=x; }\n P0 ;\n NOP ;\n", "there is no thread P1");
  expectError("AArch64 t\n{ f:X1=x; }\n P0 ;\n", "`f` is not a thread");
  expectError("AArch64 t\n{}", "expected the threads, `P0 | P1 ;`");
  expectError("AArch64 t\n{}\nexists (x=0)", "expected the threads, `P0 | P1 ;`");
  expectError("AArch64 t\n{}\n P0 | Q1 ;\n", "expected the name of thread P1, found `Q1`");
  expectError("AArch64 t\n{}\n P0 ;\n NOP | NOP ;\n", "a row with more than 1 cells");
  expectError("AArch64 t\n{}\n P0 ;\n NOP", "this row of instructions has no `;` at its end");
  expectError("AArch64 t\n{}\n P0 ;\n NOP (* ;\n", "this comment is never closed");
  expectError("AArch64 t\n{ int a[2]={1,2,3}; }\n P0 ;\n", "`a` has fewer elements");
}

TEST(LitmusAssemblyError, Conditions) {
  expectError(aarch64(" NOP ;\n", "exists (1:X0=0)\n"), "there is no thread P1");
  expectError(aarch64(" NOP ;\n", "exists (0:Y0=0)\n"), "`Y0` is not a register of AArch64");
  expectError(aarch64(" NOP ;\n", "exists (0:WZR=0)\n"), "`WZR` is always 0");
  expectError(aarch64(" NOP ;\n", "exists (0:X0)\n"), "expected `=` or `!=`, found `)`");
  expectError(aarch64(" NOP ;\n", "exists (0:X0=0) 0:X1=1\n"), "expected the end of the file, found `0`");
  expectError(aarch64(" NOP ;\n", "exists (x[1]=0)\n"), "`x` has the elements 0 to 0");
  works(aarch64(" NOP ;\n", ""));
  works(aarch64(" NOP ;\n", "locations [x; 0:X5; y]\nforall x=0 /\\ (0:X5=0 \\/ not (y=1))\n"));
  works(aarch64(" NOP ;\n", "filter (x=0) exists true\n"));
  works(aarch64(" NOP ;\n", "exists (0:X1=x /\\ [y]=0 /\\ P0:W0=-1 /\\ x=0xff)\n"));
}

TEST(LitmusAssemblyError, Instructions) {
  fails(" MOV W0 ;\n", "`mov` takes 2 operands, not 1");
  fails(" ADD W0,W1 ;\n", "`add` takes 3 to 4 operands, not 2");
  fails(" MOV #1,W0 ;\n", "expected a register as operand 1 of `mov`");
  fails(" LDR W0,W1 ;\n", "expected a place in memory as operand 2 of `ldr`");
  fails(" LDAR W0,[X1,#4]! ;\n LDXR W0,[X1,#4]! ;\n", "addresses that are written back are not supported");
  fails(" LDR W0,[X1 ;\n", "this `[` is never closed");
  fails(" LDR W0,[X1] X2 ;\n", "expected `,` between the operands");
  fails(" LDR W0, ;\n", "expected another operand after `,`");
  fails(" DMB FOO ;\n", "`FOO` is not a kind of barrier");
  fails(" ADD X0,X1,W2,FOO ;\n", "`FOO` is not supported here");
  fails(" CBZ W0,#1 ;\n", "expected a name as operand 2 of `cbz`");
  fails(" MOV W0,#99999999999999999999 ;\n", "this number does not fit in 64 bits");
  fails(" MOV W0,#y ;\n", "expected a number");
  fails(" ,W0 ;\n", "expected an instruction");
  expectError("PPC t\n{ 0:r1=x; }\n P0 ;\n lwz r2,0(x) ;\n", "expected a register that has an address, found `x`");
  expectError("PPC t\n{ 0:r1=x; }\n P0 ;\n lwzx r2,4,r1 ;\n", "expected a register, or 0 for none");
  expectError("PPC t\n{}\n P0 ;\n cmpw cr5,r1,r2 ;\n", "only cr0 is supported");
  expectError("RISCV t\n{}\n P0 ;\n fence x,w ;\n", "a side of a fence is `r`, `w` or `rw`");
  expectError("X86 t\n{ x=0; }\n P0 ;\n CMPXCHG [x],ECX ;\n", "`cmpxchg` is supported with LOCK only");
  expectError("X86 t\n{ x=0; }\n P0 ;\n MOV [x],[y] ;\n", "one of the operands has to be a register or a number");
}

TEST(LitmusAssemblyError, Labels) {
  fails(" CBZ W0,Out ;\n NOP ;\n", "4:9: error: there is no label `Out` in this thread");
  fails(" L: NOP ;\n L: NOP ;\n", "the label `L` is there twice");
  works(aarch64(" CBZ W0,L ;\n L: M: NOP ;\n"));
}

TEST(LitmusAssemblyError, Loops) {
  works(aarch64(" L: LDR W0,[X1] ;\n CBZ W0,L ;\n"));
  works(aarch64(" L: LDXR W0,[X1] ;\n ADD W0,W0,#1 ;\n STXR W3,W0,[X1] ;\n CBNZ W3,L ;\n"));
  fails(" L: SUB W0,W0,#1 ;\n CBNZ W0,L ;\n", "a round of the loop from `L` to here depends on the one before");
  fails(" L: LDR W0,[X1] ;\n STR W0,[X2] ;\n CBZ W0,L ;\n", "the loop from `L` to here writes memory");
  fails(" L: LDR W0,[X1] ;\n CBZ W0,M ;\n MOV W5,#1 ;\n M: LDR W4,[X2] ;\n CBZ W4,L ;\n", "depends on the one before");
}

TEST(LitmusAssemblyError, Sizes) {
  fails(" LDR W0,[X1] ;\n STR X0,[X1] ;\n", "`x` is accessed with 8 bytes here, and with 4 elsewhere");
  expectError("AArch64 t\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n LDRB W0,[X1] | LDR W0,[X1] ;\n", "mixed sizes are not supported");
  works(aarch64(" LDR X0,[X1] ;\n STR X0,[X1] ;\n LDR W3,[X2] ;\n"));
}

TEST(LitmusAssemblyError, OddSpellings) {
  works("AArch64 t (a remark)\n\"a string\"\nKey=value\n(* a comment (* in a comment *) *)\n{ x=0;;y = 1 , 0:x1=x };\r\n"
        "\tP0\t| P1 ;\r\n mov w0 , #0x10 | ;\r\n | ldr W0,[X1] ;\r\n L: | (* nothing *) ;\r\nexists\r\n(0:X0=16)\r\n");
  works(
      "X86 t\n{x = 0; y = 0};\n P0 ;\n mov [x], 1 ;\n lock xadd [x],eax ;\nfinal (x = 1);\nwith\nsc: ~exists;\n<<\nshow\n>>\n");
  works("RISCV t\n{ int64_t x; 0:s0=x; }\n P0 ;\n li t0,-1 ;\n amoswap.w.aqrl zero,t0,(s0) ;\n~exists 0:t0=0\n");
  works("PPC t\n{ 0:r2=x; }\n P0 ;\n lwarx r1,r0,r2 ;\n stwcx. r1,0,r2 ;\n bne  Out ;\n Out: ;\nexists (x=0)");
  works("AArch64 t\n{ int x; int* p = x; %q=p; 0:X9=-1; }\n P0 ;\n LDR X0,[%q] ;\n LDR W9,[X0] ;\nlocations [0:X0;] exists "
        "(p=x)");
}

TEST(LitmusAssemblyError, ModelOfTheMachine) {
  EXPECT_EQ(parseLitmus(aarch64(" NOP ;\n"), "t").model, "armv8");
  EXPECT_EQ(parseLitmus("PPC t\n{}\n P0 ;\n", "t").model, "power");
  EXPECT_EQ(parseLitmus("RISCV t\n{}\n P0 ;\n", "t").model, "riscv");
  EXPECT_EQ(parseLitmus("X86_64 t\n{}\n P0 ;\n", "t").model, "tso");
  EXPECT_EQ(parseLitmus("C t\n{}\nP0() {}\n", "t").model, "");
}

// Whatever is in a file, the answer is a test or an error.
TEST(LitmusAssemblyError, Mutations) {
  const std::string texts[] = {
      "AArch64 t\n{ ok=1; int* p; 0:X1=x; 1:X2=y; }\n P0 | P1 ;\n L: LDXR W0,[X1] | MOV W1,#1 ;\n STXR W3,W0,[X1] | STR "
      "W1,[X2,W3,SXTW] ;\n CBNZ W3,L | DMB ISHLD ;\nlocations [x;]\nexists (0:X0=1 /\\ y=2)\n",
      "X86 t\n{ x=0; }\n P0 ;\n MOV [x],$1 ;\n LOCK CMPXCHG [x],ECX ;\n JNE L ;\n L: ;\nforall (x=1)\n",
      "RISCV t\n{ 0:a0=x; }\n P0 ;\n lr.w.aq t0,0(a0) ;\n sc.w t1,t0,(a0) ;\n fence rw,w ;\n bne t1,x0,L ;\n L: ;\n~exists "
      "(x=1)\n"};
  std::mt19937 random(5);
  const std::string spice = "[](){};|:,.#$%~/\\=-+0123456789xXwWrR \n\"(*";
  for (int round = 0; round < 6000; ++round) {
    std::string text = texts[round % 3];
    for (int change = 0; change < 1 + round % 4; ++change) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text[at] = spice[random() % spice.size()]; break;
        case 1: text.erase(at, 1 + random() % 5); break;
        default: text.insert(at, 1, spice[random() % spice.size()]);
      }
    }
    try {
      parseLitmus(text, "mutation");
    } catch (const LitmusError&) {}
  }
}

}  // namespace
}  // namespace heddle::litmus
