//! rc20,rc11,sc: verified executions=13 blocked=0 flags="-- -DSIZE=3"
//! rc20: verified executions=13 blocked=0 flags="-- -DSIZE=6"
//! rc20: verified executions=13 blocked=0 flags="-- -DSIZE=12"
//! rc20: verified executions=13 blocked=0 flags="--equivalence rf -- -DSIZE=3"
//! rc20: verified executions=13 blocked=0 flags="-j 2 -- -DSIZE=6"
//! rc20: error=assertion-failure line=@last flags="-- -DSIZE=3 -DBUG"
//! rc20: error=uninitialised-read line=@first flags="-- -DSIZE=3 -DPART"
// Atomic structures of C whose size is no power of two. clang makes them larger; what it puts behind the structure must not matter to
// a compare-exchange, and one that fails must say what it has found.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct Bytes {
  unsigned char byte[SIZE];
};

static _Atomic(struct Bytes) shared;

static struct Bytes filled(unsigned char with) {
  struct Bytes bytes;
  memset(bytes.byte, with, SIZE);
  return bytes;
}

static void *replace(void *unused) {
  struct Bytes expected = atomic_load(&shared);
  while (!atomic_compare_exchange_strong(&shared, &expected, filled(2))) {
  }
  assert(expected.byte[0] == 1 || expected.byte[0] == 3);
  return NULL;
}

int main(void) {
  atomic_init(&shared, filled(1));
  pthread_t thread;
  pthread_create(&thread, NULL, replace, NULL);
  struct Bytes expected;
#ifdef PART
  expected.byte[0] = 1;
#else
  expected = filled(1);
#endif
  const _Bool first = atomic_compare_exchange_strong(&shared, &expected, filled(3));  // @first
  if (!first) assert(expected.byte[SIZE - 1] == 2);
  const struct Bytes old = atomic_exchange(&shared, filled(3));
  atomic_store(&shared, old);
  pthread_join(thread, NULL);
  const struct Bytes last = shared;
#ifdef BUG
  assert(last.byte[0] == 2);  // @last
#else
  assert(last.byte[0] == 2 || last.byte[0] == 3);
#endif
  return 0;
}
