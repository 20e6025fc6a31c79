//! rc20: verified executions=4878 blocked=3
//! rc20: error=deadlock line=@sleeps text="mutex_lock" flags="-- -DBUG"
//! rc20: error=data-race line=@insert flags="-- -DRELAXED"
// The mutex of U. Drepper, "Futexes are tricky" (2011): 0 is free, 1 is taken, 2 is taken and somebody may sleep. BUG: a
// thread that was woken up takes the mutex as 1, and a second sleeper is forgotten. RELAXED: unlocking does not release.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef BUG
#define TAKEN_AFTER_SLEEP 1
#else
#define TAKEN_AFTER_SLEEP 2
#endif
#ifdef RELAXED
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

struct mutex {
  atomic_int state;
};

static int exchange_if(atomic_int *word, int expected, int desired) {
  atomic_compare_exchange_strong_explicit(word, &expected, desired, memory_order_acquire, memory_order_relaxed);
  return expected;
}

static void mutex_lock(struct mutex *m) {
  int state = exchange_if(&m->state, 0, 1);
  if (state == 0) return;
  do {
    if (state == 2 || exchange_if(&m->state, 1, 2) != 0) {
      syscall(SYS_futex, &m->state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);  // @sleeps
    }
    state = exchange_if(&m->state, 0, TAKEN_AFTER_SLEEP);
  } while (state != 0);
}

static void mutex_unlock(struct mutex *m) {
  if (atomic_exchange_explicit(&m->state, 0, RELEASE) == 2) {
    syscall(SYS_futex, &m->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
}

struct entry {
  int value;
  struct entry *next;
};

static struct mutex mutex;
static struct entry *first;  // of a list, protected by the mutex

static void *worker(void *entry) {
  struct entry *mine = entry;
  mutex_lock(&mutex);
  mine->next = first;  // @insert
  first = mine;
  mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  struct entry entries[3] = {{1, NULL}, {2, NULL}, {4, NULL}};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, &entries[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  int sum = 0;
  for (const struct entry *entry = first; entry != NULL; entry = entry->next) sum += entry->value;
  assert(sum == 7);
  return 0;
}
