//! rc20: verified executions=1
//! rc20: error=unsupported line=@call text="intrinsic llvm.x86" flags="-- -DREACHED"
// Intrinsics of the processor that read or write memory in ways of their own.
#include <immintrin.h>

static char line[64];

__attribute__((target("fxsr"))) int main(int argc, char **argv) {
#ifdef REACHED
  argc = 2;
#endif
  static char area[512] __attribute__((aligned(16)));
  if (argc > 1) _fxsave64(area);  // @call
  return line[0];
}
