//! rc20: verified executions=1 text="cpuid gave 0 for everything"
// A processor that says nothing of itself.
#include <assert.h>
#include <cpuid.h>

static int hasWideExchange(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_CMPXCHG16B) != 0;
}

int main(void) {
  unsigned a = 0, b, c = 0, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  assert(a == 0 && b == 0 && c == 0 && d == 0);
  __asm__ volatile("cpuid" : : "a"(0) : "ebx", "ecx", "edx", "memory");
  assert(!hasWideExchange());
  return 0;
}
