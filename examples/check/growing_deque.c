//! rc20: verified executions=27 blocked=0 flags="--leaks"
//! sc: verified executions=27 blocked=0 flags="--leaks"
//! rc20: error=data-race line=@size flags="--suggest -- -DBUG"
//! why: Suggestion: release instead of relaxed for store work.array at growing_deque.c:72. With this change the program has no error
//
// The work-stealing deque of D. Chase and Y. Lev with its growing array, and with the C11 orders of N. M. Le, A. Pop,
// A. Cohen, F. Zappa Nardelli, "Correct and efficient work-stealing for weak memory models" (PPoPP 2013). See
// chase_lev_deque.c for the part without `grow`.
//
// BUG: the larger array is published with a relaxed store, as in the article. A thief that steals while a push makes
// the deque grow may find the new array without its contents. B. Norris and B. Demsky found this with CDSChecker
// ("A practical approach for model checking C/C++11 code", TOPLAS 2016, section 12.1), and the authors confirmed it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef BUG
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

#define EMPTY (-1)
#define LOST (-2)

struct array {
  size_t size;
  struct array *smaller;  // the one before, which a thief may still be reading
  atomic_int items[];
};

struct deque {
  atomic_size_t top;
  atomic_size_t bottom;
  _Atomic(struct array *) array;
};

static struct array *new_array(size_t size, struct array *smaller) {
  struct array *array = malloc(sizeof *array + size * sizeof(atomic_int));
  assert(array != NULL);
  array->size = size;
  array->smaller = smaller;
  return array;
}

static atomic_int *item(struct array *array, size_t index) {
  return &array->items[index % array->size];  // @size
}

static void init(struct deque *q) {
  atomic_init(&q->top, 0);
  atomic_init(&q->bottom, 0);
  atomic_init(&q->array, new_array(1, NULL));
}

static void destroy(struct deque *q) {
  struct array *array = atomic_load_explicit(&q->array, memory_order_relaxed);
  while (array != NULL) {
    struct array *smaller = array->smaller;
    free(array);
    array = smaller;
  }
}

static struct array *grow(struct deque *q, struct array *old, size_t top, size_t bottom) {
  struct array *array = new_array(2 * old->size, old);
  for (size_t i = top; i != bottom; i++) {
    atomic_init(item(array, i), atomic_load_explicit(item(old, i), memory_order_relaxed));
  }
  atomic_store_explicit(&q->array, array, PUBLISH);
  return array;
}

static void push(struct deque *q, int task) {
  size_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
  size_t top = atomic_load_explicit(&q->top, memory_order_acquire);
  struct array *array = atomic_load_explicit(&q->array, memory_order_relaxed);
  if (bottom - top == array->size) array = grow(q, array, top, bottom);
  atomic_store_explicit(item(array, bottom), task, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&q->bottom, bottom + 1, memory_order_relaxed);
}

static int take(struct deque *q) {
  size_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed) - 1;
  struct array *array = atomic_load_explicit(&q->array, memory_order_relaxed);
  atomic_store_explicit(&q->bottom, bottom, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  size_t top = atomic_load_explicit(&q->top, memory_order_relaxed);
  if ((ptrdiff_t)(bottom - top) < 0) {  // empty
    atomic_store_explicit(&q->bottom, bottom + 1, memory_order_relaxed);
    return EMPTY;
  }
  int task = atomic_load_explicit(item(array, bottom), memory_order_relaxed);
  if (top == bottom) {  // the last one: a thief may want it too
    if (!atomic_compare_exchange_strong_explicit(&q->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed)) {
      task = EMPTY;
    }
    atomic_store_explicit(&q->bottom, bottom + 1, memory_order_relaxed);
  }
  return task;
}

static int steal(struct deque *q) {
  size_t top = atomic_load_explicit(&q->top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  size_t bottom = atomic_load_explicit(&q->bottom, memory_order_acquire);
  if ((ptrdiff_t)(bottom - top) <= 0) return EMPTY;
  struct array *array = atomic_load_explicit(&q->array, memory_order_acquire);
  int task = atomic_load_explicit(item(array, top), memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&q->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed)) {
    return LOST;
  }
  return task;
}

static struct deque work;
static atomic_int done[3];  // how often each task was taken

static void run(int task) {
  if (task < 0) return;
  int before = atomic_fetch_add_explicit(&done[task], 1, memory_order_relaxed);
  assert(before == 0);
}

static void *thief(void *unused) {
  (void)unused;
  run(steal(&work));
  return NULL;
}

int main(void) {
  init(&work);
  push(&work, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, thief, NULL);
  push(&work, 1);  // grows, if the first task has not been stolen
  push(&work, 2);
  run(take(&work));
  run(take(&work));
  pthread_join(thread, NULL);
  run(take(&work));
  for (int task = 0; task < 3; task++) {
    assert(atomic_load_explicit(&done[task], memory_order_relaxed) == 1);
  }
  destroy(&work);
  return 0;
}
