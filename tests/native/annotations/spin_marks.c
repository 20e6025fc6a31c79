//! rc20,sc: verified executions=2 blocked=1
//! rc20: verified executions=2 flags="--equivalence rf"
//! rc20: verified executions=2 blocked=1 flags="--races off"
//! rc20: verified executions=2 blocked=1 flags="-j 2"
//! rc20: verified executions=2 blocked=1 flags="-- -DGENMC"
//! rc20: bounded flags="--unroll 3 -- -DUNMARKED"
//! rc20: error=wrong-annotation line=@mark|@await text="it writes tries" flags="-- -DCOUNTS"
//! rc20: error=wrong-annotation line=@await text="it writes tries" flags="-- -DGENMC -DCOUNTS"
//! rc20: error=wrong-annotation line=@mark|@await text="rounds is not what it was" flags="-- -DMEMORY"
//! rc20: error=wrong-annotation line=@mark|@await text="rounds is not what it was" flags="--equivalence rf -- -DMEMORY"
//! rc20: error=wrong-annotation line=@mark|@await text="rounds is not what it was" flags="--races off -- -DMEMORY"
//! rc20: error=wrong-annotation line=@mark|@await text="i is not what it was" flags="-- -DVALUE"
//! rc20: error=wrong-annotation line=@mark|@await text="it writes" flags="-- -DLOCK"
//! rc20: error=non-termination line=@error flags="-- -DNEVER"
//! rc20: verified executions=2 blocked=1 flags="-- -DSCRATCH"
//! rc20: bounded flags="--unroll 3 -- -DSCRATCH -DUNMARKED"
//! rc20: verified executions=2 flags="-- -DSIZES"
// A loop that waits, in rounds that set memory and reset it: nothing has changed in the end, but that cannot be seen in the code.
// Without the marks it is explored round by round. Rounds that leave something behind (COUNTS, MEMORY, VALUE, LOCK) are not in
// vain, whatever is said. It makes no difference if a library function does it (SCRATCH), or if sizes are mixed (SIZES).
// There are two flags, so that both orders of what sets them are executions.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag, other, tries;
static int depth, rounds;
static char scratch[8];
#ifdef SIZES
static union {
  atomic_int word;
  atomic_short half;
} sizes;
#endif
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *set(void *unused) {
#ifndef NEVER
  atomic_store_explicit(&flag, 1, memory_order_release);
#endif
  atomic_store_explicit(&other, 1, memory_order_relaxed);
  return unused;
}

static int look(int i) {
  depth++;
  int found = atomic_load_explicit(&flag, memory_order_acquire);
#ifdef COUNTS
  atomic_fetch_add_explicit(&tries, 1, memory_order_relaxed);
#elif defined(MEMORY)
  rounds++;
#elif defined(SCRATCH)
  snprintf(scratch, sizeof scratch, "%d", found);
  scratch[0] = 0;
#elif defined(LOCK)
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#endif
  depth--;
  return found + 0 * i;
}

#ifdef GENMC
extern void __VERIFIER_loop_begin(void);
extern void __VERIFIER_spin_start(void);
extern void __VERIFIER_spin_end(int);
#define await_while(condition)                                                                          \
  for (__VERIFIER_loop_begin(); __VERIFIER_spin_start(), (condition) ? 1 : (__VERIFIER_spin_end(1), 0); \
       __VERIFIER_spin_end(0))
#endif

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  int i = 0;
#ifdef SIZES
  atomic_store(&sizes.word, 1);
  atomic_store(&sizes.half, 1);
#endif
#ifdef GENMC
  await_while(!look(i)) {  // @await
  }
#else
  for (;;) {  // @error
#ifndef UNMARKED
    heddle_spin_start();
#endif
    const int found = look(i);
#ifndef UNMARKED
    heddle_spin_end(found);  // @mark
#endif
    if (found) break;
#ifdef VALUE
    i++;
#endif
  }
#endif
  int r = atomic_load_explicit(&other, memory_order_relaxed);
  (void)r;
  heddle_assert(depth == 0 && i < 100);
  pthread_join(thread, 0);
  return 0;
}
