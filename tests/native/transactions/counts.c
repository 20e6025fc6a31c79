//! sc: verified executions=2 blocked=0 flags="-- -DTEST=1"
//! sc: verified executions=2 blocked=0 flags="-- -DTEST=2"
//! sc: verified executions=3 blocked=0 flags="-- -DTEST=3"
//! sc: verified executions=3 blocked=0 flags="-- -DTEST=4"
//! sc: verified executions=6 blocked=0 flags="-- -DTEST=5"
// Counts of the literature, with atomic variables, as tests/oracle/transactions_test.cpp has them of litmus tests:
//   1  [r=x; y=1] || [s=y; x=1]                                            never r=s
//   2  [x=1; y=1] || [r=x; s=y]                                            r=s
//   3  [x=1; y=1] || r=x; s=y                                              never r=1, s=0
//   4  [z=1]; [a=x] || [if (z==0) if (y==0) x=1] || [y=1]                  example 5.1 of Mixer (POPL 2025)
//   5  three threads that increment x in a transaction
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int r, s;

#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)
#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define BEGIN heddle_transaction_begin()
#define END heddle_transaction_end()

#if TEST == 1
static void *one(void *p) { BEGIN; r = LOAD(x); STORE(y, 1); END; return p; }
static void *two(void *p) { BEGIN; s = LOAD(y); STORE(x, 1); END; return p; }
#define GOOD r != s
#elif TEST == 2
static void *one(void *p) { BEGIN; STORE(x, 1); STORE(y, 1); END; return p; }
static void *two(void *p) { BEGIN; r = LOAD(x); s = LOAD(y); END; return p; }
#define GOOD r == s
#elif TEST == 3
static void *one(void *p) { BEGIN; STORE(x, 1); STORE(y, 1); END; return p; }
static void *two(void *p) { r = LOAD(x); s = LOAD(y); return p; }
#define GOOD r <= s
#elif TEST == 4
#define THREE
static void *one(void *p) { BEGIN; STORE(z, 1); END; BEGIN; r = LOAD(x); END; return p; }
static void *two(void *p) { BEGIN; if (LOAD(z) == 0) if (LOAD(y) == 0) STORE(x, 1); END; return p; }
static void *three(void *p) { BEGIN; STORE(y, 1); END; return p; }
#define GOOD 1
#else
#define THREE
static void *one(void *p) { BEGIN; STORE(x, LOAD(x) + 1); END; return p; }
#define two one
#define three one
#define GOOD LOAD(x) == 3
#endif

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
#ifdef THREE
  pthread_create(&threads[2], 0, three, 0);
  pthread_join(threads[2], 0);
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(GOOD);
  return 0;
}
