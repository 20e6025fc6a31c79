//! rc20: verified executions=3 blocked=4
//! sc: verified executions=3 blocked=4
//! rc20: verified executions=3 blocked=4 flags="-j 2"
//! rc20: error=data-race line=@error flags="-- -DRELAXED"
//! rc20: error=data-race line=@look flags="-- -DEARLY"
//! rc20: error=non-termination line=@error-2 flags="-- -DGOAL=3"
//! rc20: error=deadlock line=@error-3 flags="-- -DNESTED"
// A thread polls, and where it looks depends on how far the others are. Who takes the mutex comes before a look in vain, or
// waits. RELAXED: what the first look has found is written after another thread's turn, which nothing orders: a race that only
// shows if that thread goes on after the look. EARLY: the same before the writer's own turn, which needs no such thing. NESTED:
// the thread that polls holds another mutex, which those that it waits for take inside.
#include <pthread.h>
#include <stdatomic.h>

#ifndef GOAL
#define GOAL 2
#endif
#ifdef RELAXED
#define STORE memory_order_relaxed
#else
#define STORE memory_order_release
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int turns, places[4];

static void turn(void) {
  pthread_mutex_lock(&mutex);
#ifdef NESTED
  pthread_mutex_lock(&outer);
#endif
  turns++;
#ifdef NESTED
  pthread_mutex_unlock(&outer);
#endif
  pthread_mutex_unlock(&mutex);
}

static void *first(void *unused) {
  turn();
  atomic_store_explicit(&flag, 1, STORE);
  return unused;
}

static void *second(void *unused) {
#ifdef EARLY
  places[0] = 1;
#else
  if (atomic_load_explicit(&flag, memory_order_acquire)) places[0] = 1;  // @error
#endif
  turn();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
#ifdef NESTED
  pthread_mutex_lock(&outer);
#endif
  for (;;) {  // @error-2
    pthread_mutex_lock(&mutex);  // @error-3
    int found = places[turns] + turns;  // @look
    pthread_mutex_unlock(&mutex);
    if (found >= GOAL) break;
  }
#ifdef NESTED
  pthread_mutex_unlock(&outer);
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
