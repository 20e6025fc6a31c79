//! rc11: verified executions=3 blocked=0
//! armv8,riscv,power,imm,c11-lb: verified executions=3 blocked=0
//! rc11: verified executions=3 blocked=0 flags="-- -DBUG"
//! armv8,riscv,power,imm,c11-lb: error=double-free|data-race line=@free flags="--suggest -- -DBUG"
//! why: acquire instead of relaxed for the load at last_owner.c:32
//
// Two owners of a buffer. Who is done with it looks whether the other one is, then says that it is done itself; who has
// seen that the other is done frees the buffer. The first one to say so cannot have seen the other one say it, so the
// buffer is never freed twice. (It may not be freed at all, if both look before either has said anything; then somebody
// else frees it later.)
//
// BUG: the look is relaxed, so a processor or a compiler may do it after the store behind it. This is load buffering: both
// see the other one done, and both free. RC11 and the models of the C++ standard that Heddle has by default know no such
// execution; ARMv8, RISC-V and POWER do.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BUG
#define LOOK memory_order_relaxed
#define SAY memory_order_relaxed
#else
#define LOOK memory_order_acquire
#define SAY memory_order_release
#endif

static atomic_int done[2];
static int *buffer;

static void *owner(void *argument) {
  const int self = *(int *)argument;
  const int other_is_done = atomic_load_explicit(&done[1 - self], LOOK);
  atomic_store_explicit(&done[self], 1, SAY);
  if (other_is_done) free(buffer);  // @free
  return 0;
}

int main(void) {
  static int numbers[2] = {0, 1};
  buffer = malloc(sizeof(int));
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, owner, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
