//! rc11,c11-lb,imm,mca,armv8,riscv,power: verified executions=4 blocked=0
//! rc11,armv8,power: verified executions=4 blocked=0 flags="--equivalence rf"
// What a thread reads under a read-write lock, it reads before anybody sees it leave: no load buffering, though it leaves by a relaxed
// update of the lock's word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int number;
static int plain;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int seen = atomic_load_explicit(&number, memory_order_relaxed);
  assert(seen == plain);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  atomic_store_explicit(&number, 1, memory_order_relaxed);
  plain = 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  pthread_create(&threads[2], 0, reader, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
