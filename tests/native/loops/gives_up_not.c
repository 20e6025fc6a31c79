//! rc20,sc: error=assertion-failure line=@found flags="-- -DSHAPE=1"
//! rc20,sc: error=assertion-failure line=@found flags="-- -DSHAPE=2"
//! rc20,sc: error=assertion-failure line=@found flags="-- -DSHAPE=3"
//! rc20,sc: error=assertion-failure line=@found flags="-- -DSHAPE=4"
//! rc20,sc: error=assertion-failure line=@found flags="-- -DSHAPE=5"
//! rc20,sc: verified executions=3 blocked=0 flags="-- -DSHAPE=6"
//! rc20,sc: verified executions=3 blocked=0 flags="-- -DSHAPE=7"
//! rc20,sc: verified executions=3 blocked=0 flags="-- -DSHAPE=8"
// Loops of two rounds that look as if a round in vain could stand for both. 1 to 5: the first round may be in vain and the second
// not, or find another value. 6 to 8: a round may be in vain, but not two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag, found;
static atomic_int x = 1, y;
static int last, before, changes;

static void *spin(void *unused) {
#if SHAPE == 1
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    const int set = flag;
    pthread_mutex_unlock(&mutex);
    if (set) {
      found = 1;
      break;
    }
  }
#elif SHAPE == 2
  for (int i = 0; i < 2; i++) {
    last = atomic_exchange(&x, 1);
    if (last == 2) break;
  }
  found = last == 0;
#elif SHAPE == 3
  for (int i = 0; i < 2; i++) {
    const int value = atomic_load(&x);
    if (value == 2) break;
    if (value == 0) atomic_fetch_add(&y, 1);
  }
  found = atomic_load(&y) == 1;
#elif SHAPE == 4
  for (int i = 0; i < 2; i++) {
    const int value = atomic_load(&x);
    if (value == 2) break;
    if (value == 0) changes++;
  }
  found = changes == 1;
#elif SHAPE == 5
  int value = 1;
  for (int i = 0; i < 2; i++) {
    before = value;
    value = atomic_load(&x);
    if (value == 2) break;
  }
  found = before == 1 && value == 0;
#elif SHAPE == 6
  found = 1;
  for (int i = 0; i < 2; i++) {
    int value = atomic_load(&x);
    if (atomic_compare_exchange_strong(&x, &value, 2)) found = 0;
    if (!found) break;
  }
#elif SHAPE == 7
  found = 1;
  for (int i = 0; i < 2; i++) {
    if (atomic_load(&x) == atomic_load(&x)) {
      found = 0;
      break;
    }
  }
#elif SHAPE == 8
  found = 1;
  atomic_store(&x, 1);
  for (int i = 0; i < 2; i++) {
    if (atomic_load(&x)) {
      found = 0;
      break;
    }
    atomic_store(&x, 1);
  }
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, spin, 0);
#if SHAPE == 1
  const int busy = pthread_mutex_trylock(&mutex);
  if (!busy) pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_mutex_unlock(&mutex);
#else
  const int busy = 1;
  atomic_store(&x, 0);
#endif
  pthread_join(thread, 0);
  assert(!(busy && found));  // @found
  return 0;
}
