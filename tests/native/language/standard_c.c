//! rc20: verified executions=2 flags="-- -std=c11"
//! rc20: verified executions=2 flags="-- -std=c17"
//! rc20: verified executions=2 flags="-- -std=gnu17"
//! rc20: verified executions=2 flags="-- -std=c23"
//! rc20: verified executions=2
// One program in every version of C from C11 on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#if __STDC_VERSION__ >= 202311L
#include <stddef.h>
#define NOTHING nullptr
constexpr int answer = 0b101010;
[[maybe_unused]] static int unused_variable;
#else
#define NOTHING 0
enum { answer = 42 };
#endif

_Static_assert(sizeof(atomic_int) == sizeof(int), "no lock inside");

static atomic_int x;

static void *set(void *argument) {
  atomic_store_explicit(&x, answer, memory_order_release);
  return argument;
}

#define kind(value) _Generic((value), int: 1, double: 2, default: 3)

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NOTHING, set, NOTHING);
  int seen = atomic_load_explicit(&x, memory_order_acquire);
  assert(seen == 0 || seen == 42);
  assert(kind(1) == 1 && kind(1.0) == 2 && kind("") == 3);
  pthread_join(thread, NOTHING);
  return 0;
}
