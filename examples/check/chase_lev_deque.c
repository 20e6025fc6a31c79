//! rc20: verified executions=41 blocked=0
//! sc: verified executions=41 blocked=0
//! rc20: error=assertion-failure line=@once flags="--suggest -- -DBUG"
//! why: x86 (tso), ARMv8, RISC-V and POWER allow it.
//! why: Suggestion: a seq_cst fence right after store work.bottom at chase_lev_deque.c:41. With this change the program has no error
//! sc: verified executions=41 blocked=0 flags="-- -DBUG"
//
// The work-stealing deque of D. Chase and Y. Lev, "Dynamic circular work-stealing deque" (SPAA 2005), with the C11
// orders of N. M. Le, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and efficient work-stealing for weak memory models"
// (PPoPP 2013). The owner pushes and takes at the bottom; thieves steal at the top. Only the last element is fought
// for.
//
// BUG: `take` has no seq_cst fence between its store to the bottom and its load of the top. The owner may then take,
// without a fight, an element that a thief has stolen already.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define CAPACITY 4
#define EMPTY (-1)
#define LOST (-2)

struct deque {
  atomic_size_t top;
  atomic_size_t bottom;
  atomic_int items[CAPACITY];
};

static void push(struct deque *q, int item) {
  size_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
  size_t top = atomic_load_explicit(&q->top, memory_order_acquire);
  assert(bottom - top < CAPACITY);
  atomic_store_explicit(&q->items[bottom % CAPACITY], item, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&q->bottom, bottom + 1, memory_order_relaxed);
}

static int take(struct deque *q) {
  size_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&q->bottom, bottom, memory_order_relaxed);
#ifndef BUG
  atomic_thread_fence(memory_order_seq_cst);
#endif
  size_t top = atomic_load_explicit(&q->top, memory_order_relaxed);
  if ((ptrdiff_t)(bottom - top) < 0) {  // empty
    atomic_store_explicit(&q->bottom, bottom + 1, memory_order_relaxed);
    return EMPTY;
  }
  int item = atomic_load_explicit(&q->items[bottom % CAPACITY], memory_order_relaxed);
  if (top == bottom) {  // the last one: a thief may want it too
    if (!atomic_compare_exchange_strong_explicit(&q->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed)) {
      item = EMPTY;
    }
    atomic_store_explicit(&q->bottom, bottom + 1, memory_order_relaxed);
  }
  return item;
}

static int steal(struct deque *q) {
  size_t top = atomic_load_explicit(&q->top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  size_t bottom = atomic_load_explicit(&q->bottom, memory_order_acquire);
  if ((ptrdiff_t)(bottom - top) <= 0) return EMPTY;
  int item = atomic_load_explicit(&q->items[top % CAPACITY], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&q->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed)) {
    return LOST;
  }
  return item;
}

static struct deque work;
static atomic_int done[2];  // how often each task was taken

static void run(int task) {
  if (task < 0) return;
  int before = atomic_fetch_add_explicit(&done[task], 1, memory_order_relaxed);
  assert(before == 0);  // @once
}

static void *thief(void *unused) {
  (void)unused;
  run(steal(&work));
  run(steal(&work));
  return NULL;
}

int main(void) {
  push(&work, 0);
  push(&work, 1);
  pthread_t thread;
  pthread_create(&thread, NULL, thief, NULL);
  run(take(&work));
  run(take(&work));
  pthread_join(thread, NULL);
  for (int task = 0; task < 2; task++) {
    assert(atomic_load_explicit(&done[task], memory_order_relaxed) == 1);
  }
  return 0;
}
