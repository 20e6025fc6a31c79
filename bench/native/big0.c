// big0: two readers and two writers over four locations; 82,472 executions under rc11, 69,112 under sc.
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y, z, w;

#define READ(place) (void)atomic_load_explicit(&place, memory_order_acquire)
#define WRITE(place, value) atomic_store_explicit(&place, value, memory_order_release)

static void *read_all(void *unused) {
  READ(x), READ(y), READ(z), READ(w), READ(x), READ(y), READ(z);
  return unused;
}

static void *read_three(void *unused) {
  READ(x), READ(y), READ(z);
  return unused;
}

static void *write_xy(void *unused) {
  for (int value = 1; value <= 3; value++) WRITE(x, value), WRITE(y, value);
  return unused;
}

static void *write_zw(void *unused) {
  for (int value = 1; value <= 3; value++) WRITE(z, value), WRITE(w, value);
  return unused;
}

int main(void) {
  start(read_all, 0);
  start(read_three, 0);
  start(write_xy, 0);
  start(write_zw, 0);
  return 0;
}
