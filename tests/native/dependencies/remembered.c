//! rc11: verified executions=6 blocked=0
//! armv8,riscv,power,imm,c11-lb: verified executions=6 blocked=0 flags="-- -DDEPENDS"
//! armv8,riscv,power,imm,c11-lb: error=assertion-failure line=@seen flags="--"
//! armv8,riscv,power,imm,c11-lb: error=assertion-failure line=@seen flags="-- -DREVERSED"
//! armv8,riscv,power,imm,c11-lb: verified executions=6 blocked=0 flags="-- -DDEPENDS -DREVERSED"
// Steps that differ in nothing but what plain memory depends on. The two ways to `kept` end at the same load with the same values
// everywhere. What comes after it has to be told apart: the store depends on the first load of x in one case, and in the other it
// does not, and load buffering shows. So a remembered step is one for the same sets only.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, other;
static int kept;

__attribute__((noinline)) static void keep(int value) { kept = value; }

static void *first(void *unused) {
  const int r = atomic_load_explicit(&x, memory_order_relaxed);
#ifdef REVERSED
  const int depends = heddle_choose(2) == 0;
#else
  const int depends = heddle_choose(2) != 0;
#endif
#ifdef DEPENDS
  keep(depends ? r & 0 : r ^ r);
#else
  if (depends) {
    keep(r & 0);
  } else {
    keep(0);
  }
#endif
  (void)atomic_load_explicit(&other, memory_order_relaxed);
  atomic_store_explicit(&y, kept + 1, memory_order_relaxed);
  assert(!(r == 1 && !depends));  // @seen
  assert(!(r == 1 && depends));
  return unused;
}

static void *second(void *unused) {
  const int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, r, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
