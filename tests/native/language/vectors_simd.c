//! rc20: verified executions=1
//! rc20: error=data-race line=@error flags="-- -DSHARED"
// Vector types of the compiler, 16 and 32 bytes wide; their accesses are plain accesses of all their bytes.
#include <assert.h>
#include <pthread.h>

typedef int four __attribute__((vector_size(16)));
typedef double lanes __attribute__((vector_size(32)));

static four shared[2];
static lanes wide;

static void *work(void *unused) {
  shared[0] += (four){1, 2, 3, 4};
  wide = (lanes){1, 2, 3, 4} * 2.0;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
#ifdef SHARED
  ((int *)&wide)[7] = 1;  // @error
#else
  shared[1] += (four){1, 1, 1, 1};
#endif
  pthread_join(thread, 0);
  assert(shared[0][3] == 4 && wide[3] == 8.0);
  return 0;
}
