//! rc11: verified executions=3 blocked=0
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_XOR"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_TIMES_ZERO"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_VARIABLE"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_GLOBAL"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_BYTES"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_HEAP"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_ARRAY"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_POINTER"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_CALL"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_INDIRECT"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_STRUCT"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_BY_VALUE"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_VARIADIC"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_BRANCH"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_BRANCH_BEFORE"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_SWITCH"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_SELECT"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_ASSUMED"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_SHORT_CIRCUIT"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_DIVISION"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_FLOATING"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_LOOP"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_ACCESS"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_EXPECTED"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_OWN_READ"
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0 flags="-- -DTHROUGH_UPDATE"
//! armv8,riscv,power,imm,c11-lb: error=assertion-failure line=@both flags="--"
//! armv8,riscv,power,imm,c11-lb: error=assertion-failure line=@both flags="-- -DTHROUGH_NEITHER"
// Load buffering, in which what each thread writes depends on what it has read, in one way or another, though the value is always
// the same. Then no machine shows both threads the value of the other. Without a dependency all of them do. OWN_READ goes only
// by what rfi orders in all five models, a dependency on both sides.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x, y;
static int seen[2];
static long global[2];
static unsigned char bytes[2][8];
static atomic_int others[2][2];
static int ones[2][4] = {{1, 1, 1, 1}, {1, 1, 1, 1}};

struct pair {
  int first, second;
};
struct large {
  long words[8];
};

__attribute__((noinline)) static int same(int a, int b) { return a + 0 * b; }
__attribute__((noinline)) static struct pair pairOf(int r) { return (struct pair){r ^ r, 1}; }
__attribute__((noinline)) static int sumOf(struct large all) { return (int)(all.words[0] + all.words[5]); }
__attribute__((noinline)) static int firstOf(int count, ...) {
  va_list all;
  va_start(all, count);
  const int first = va_arg(all, int);
  va_end(all);
  return first;
}
static int one(void) { return 1; }
static int alsoOne(void) { return 1; }

// Always 1.
static int written(int self, int r) {
#if defined(THROUGH_XOR)
  return (r ^ r) + 1;
#elif defined(THROUGH_TIMES_ZERO)
  return r * 0 + 1;
#elif defined(THROUGH_VARIABLE)
  volatile int variable = r;
  return (variable & 0) + 1;
#elif defined(THROUGH_GLOBAL)
  global[self] = r;
  return (int)(global[self] - global[self]) + 1;
#elif defined(THROUGH_BYTES)
  bytes[self][1] = 7;
  bytes[self][2] = (unsigned char)r;
  return bytes[self][2] * 0 + bytes[self][1] - 6;
#elif defined(THROUGH_HEAP)
  int *from = malloc(4 * sizeof(int)), *to = malloc(4 * sizeof(int));
  memset(from, 0, 4 * sizeof(int));
  from[2] = r & 0;
  memcpy(to, from, 4 * sizeof(int));
  const int result = to[2] + 1;
  free(from);
  free(to);
  return result;
#elif defined(THROUGH_ARRAY)
  int own[4] = {1, 1, 1, 1};
  return own[r & 1];
#elif defined(THROUGH_POINTER)
  const int *p = &ones[self][r & 1];
  return *p;
#elif defined(THROUGH_CALL)
  return same(1, r);
#elif defined(THROUGH_INDIRECT)
  int (*const functions[2])(void) = {one, alsoOne};
  return functions[r & 1]();
#elif defined(THROUGH_STRUCT)
  const struct pair both = pairOf(r);
  return both.first + both.second;
#elif defined(THROUGH_BY_VALUE)
  struct large all = {{1}};
  all.words[5] = r - r;
  return sumOf(all);
#elif defined(THROUGH_VARIADIC)
  return firstOf(1, (r & 0) + 1);
#elif defined(THROUGH_BRANCH)
  if (r == 1) return 1;
  return 1;
#elif defined(THROUGH_BRANCH_BEFORE)
  if (r == 1) global[self] = 1;
  return 1;
#elif defined(THROUGH_SWITCH)
  switch (r) {
    case 0: return 1;
    default: return 1;
  }
#elif defined(THROUGH_SELECT)
  return r ? ones[self][0] : ones[self][1];
#elif defined(THROUGH_ASSUMED)
  heddle_assume(r < 5);
  return 1;
#elif defined(THROUGH_SHORT_CIRCUIT)
  return (r != 7 && self < 2);
#elif defined(THROUGH_DIVISION)
  return 8 / (8 + (r & 0));
#elif defined(THROUGH_FLOATING)
  return (int)((double)r * 0.0 + 1.0);
#elif defined(THROUGH_LOOP)
  int result = 1;
  for (int i = 0; i < r; i++) result = 1;
  return result;
#elif defined(THROUGH_ACCESS)
  return atomic_load_explicit(&others[self][r & 1], memory_order_relaxed) + 1;
#elif defined(THROUGH_EXPECTED)
  int expected = (r & 0) + 5;
  return atomic_compare_exchange_strong_explicit(&others[self][0], &expected, 6, memory_order_relaxed, memory_order_relaxed) + 1;
#elif defined(THROUGH_OWN_READ)
  atomic_store_explicit(&others[self][0], r & 0, memory_order_relaxed);
  return atomic_load_explicit(&others[self][0], memory_order_relaxed) * 0 + 1;
#elif defined(THROUGH_UPDATE)
  return atomic_fetch_add_explicit(&others[self][0], r & 0, memory_order_relaxed) * 0 + 1;
#elif defined(THROUGH_NEITHER)
  global[self] = r;
  bytes[self][2] = (unsigned char)r;
  bytes[self][3] = 1;
  int own[2] = {r, 1};
  (void)same(r, r);
  return bytes[self][3] * own[1];
#else
  return 1;
#endif
}

static void *first(void *unused) {
  const int r = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, written(0, r), memory_order_relaxed);
  seen[0] = r;
  return unused;
}

static void *second(void *unused) {
  const int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, written(1, r), memory_order_relaxed);
  seen[1] = r;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(!(seen[0] == 1 && seen[1] == 1));  // @both
  return 0;
}
