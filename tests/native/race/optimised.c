//! rc20: error=data-race line=@write|@read
//! rc20: error=data-race line=@write|@read flags="-- -O0"
//! rc20: error=data-race line=@write|@read flags="-- -O2"
//! rc20: error=data-race line=@write|@read flags="-- -O3"
//! rc20: error=data-race line=@write|@read flags="-- -Os"
// Whatever the user's own flags say: an access that an optimiser would drop is an access.
#include <pthread.h>

static int shared;

static void *writer(void *unused) {
  shared = 1;  // @write
  shared = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  (void)*(volatile int *)&shared;  // @read
  pthread_join(thread, 0);
  return 0;
}
