//! sc,rc20: verified executions=1 blocked=0
//! sc,rc20: verified executions=2 flags="-- -DACQUIRE"
//! rc20: error=data-race flags="-- -DACQUIRE -DBUG"
// Three sections on three variables have no order; as critical sections of one lock they would have six. ACQUIRE: a lock made of a
// function that is one step by its name, which is left only where the lock was free.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

static int x[3];

static void *section(void *place) {
  __VERIFIER_atomic_begin();
  ++*(int *)place;
  __VERIFIER_atomic_end();
  return 0;
}

static int held, shared;

#ifdef BUG
static void acquire(void) {
#else
static void __VERIFIER_atomic_acquire(void) {
#define acquire __VERIFIER_atomic_acquire
#endif
  __VERIFIER_assume(held == 0);
  held = 1;
}

static void __VERIFIER_atomic_release(void) { held = 0; }

static void *locked(void *p) {
  acquire();
  const int old = shared;
  shared = old + 1;
  __VERIFIER_atomic_release();
  return p;
}

int main(void) {
  pthread_t threads[3];
#ifdef ACQUIRE
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, locked, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(shared == 2);
#else
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, section, &x[i]);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(x[0] + x[1] + x[2] == 3);
#endif
  (void)locked, (void)section, (void)shared;
  return 0;
}
