// Litmus tests in C, in the kernel's dialect, and in assembly: parsed and compiled.
#include <array>
#include <string>

#include "litmus/source.h"
#include "litmus/test.h"
#include "target.h"

namespace {
constexpr std::array kPieces = {
    "C x\n{ x=0; }\n",
    "P0(atomic_int* x) {",
    "P1(int *x, int *y)\n{\n",
    "int r0 = atomic_load_explicit(x, memory_order_acquire);",
    "atomic_store_explicit(x, 1, memory_order_release);",
    "atomic_fetch_add_explicit(x, 1, memory_order_seq_cst);",
    "atomic_compare_exchange_strong_explicit(x, &r0, 1, memory_order_acq_rel, memory_order_relaxed)",
    "atomic_thread_fence(memory_order_seq_cst);",
    "if (r0 == 0) {",
    "} else {",
    "while (1) {",
    "for (int i = 0; i < 3; i++) ",
    "do { } while (r0);",
    "WRITE_ONCE(*x, 1);",
    "r0 = READ_ONCE(*x);",
    "smp_mb();",
    "rcu_read_lock();",
    "synchronize_rcu();",
    "spin_lock(&s);",
    "srcu_read_lock(&ss)",
    "cmpxchg(x, 0, 1)",
    "xchg_release(x, 1)",
    "exists (0:r0=1 /\\ 1:r0=0)",
    "forall (x=1 \\/ ~(y=2))",
    "~exists (not (0:r0=1))",
    "filter (x=1)",
    "locations [x; 0:r0;]",
    "X86 SB\n",
    "AArch64 MP\n{ 0:X1=x; }\n",
    "PPC LB\n",
    "RISCV SB\n",
    " P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n",
    "LDR W0,[X1] ;",
    "STLR W0,[X1]",
    "LDAXR W2,[X3]",
    "lwz r1,0(r2)",
    "sync",
    "lwsync",
    "fence rw,rw",
    "lw x5,0(x6)",
    "amoadd.w.aq x1,x2,(x3)",
    "CBNZ W0,L0",
    "L0:",
    "MFENCE",
    "LOCK XCHG [x],EAX",
    "(* comment *)",
    "// comment\n",
    "/* comment */",
    "uint64_t",
    "int* p = &x;",
    "*p",
    "struct s { int a; int b; };",
    "#define N 3\n",
    "r0 + 1 * (2 - r0) % 3",
    "r0 << 31",
    "r0 / 0",
    "-2147483648 / -1",
    "int a[3] = {1, 2, 3};",
    "a[2]"};
}

const std::span<const char* const> pieces = kPieces;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::litmus;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const Dialect dialect : {Dialect::byText, Dialect::preferKernel}) {
    try {
      parseLitmus(text, "test.litmus", {.dialect = dialect, .loopBound = 100});
    } catch (const LitmusError&) {}
  }
  return 0;
}
