//! rc20: verified executions=3 blocked=2
//! sc: verified executions=3 blocked=2
//! rc20: error=assertion-failure line=@error flags="-- -DCHECK"
//! sc: error=assertion-failure line=@error flags="-- -DCHECK"
// Whether a round of the loop has an effect depends on what x was before: if it was 1, the loop only waits.
// A waiting thread that has accessed plain memory is followed to the end, as others may race with it: two blocked executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int flag;
static int x, seen;

static void *setX(void *unused) {
  pthread_mutex_lock(&m);
  seen = x;
  x = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *setFlag(void *unused) {
  atomic_store(&flag, 1);
  return unused;
}

static void *spin(void *unused) {
  pthread_mutex_lock(&m);
  while (!atomic_load(&flag)) x = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, spin, 0);
  pthread_create(&b, 0, setX, 0);
  pthread_create(&c, 0, setFlag, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
#ifdef CHECK
  assert(seen == 0);  // @error
#endif
}
