//! rc20: error=data-race line=@assign|@field
//! rc20: verified executions=2 flags="-- -DFLAG"
// Assigning a struct writes all of its fields. FLAG: behind a flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct record {
  long numbers[6];
  char name[10];
  short last;
};

static struct record shared, blank = {{1, 2, 3, 4, 5, 6}, "name", 7};
static atomic_int ready;

static void *assign(void *unused) {
  shared = blank;  // @assign
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, assign, 0);
#ifdef FLAG
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert(shared.last == 7 && shared.name[3] == 'e');
#else
  short seen = shared.last;  // @field
  assert(seen == 0 || seen == 7);
#endif
  pthread_join(thread, 0);
  return 0;
}
