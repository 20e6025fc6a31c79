//! rc20: verified executions=1
//! rc20: error=dead-frame line=@late flags="-- -DLATE"
//! rc20: error=null-pointer line=@late flags="-- -DNEVER"
//! rc20: error=data-race line=@error flags="-- -DSHARED"
// The compiler's own setjmp, whose buffer has five words. Out of functions, again and again, and two buffers that one call sets in
// a loop. LATE: the function that has set the buffer has returned. NEVER: nobody has set it. SHARED: two threads use one.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *global[5];
static _Thread_local void *own[5];

__attribute__((noinline)) static void jump(void **buffer, int depth) {
  int local[3] = {depth, depth + 1, depth + 2};
  int *volatile pointer = local;
  if (pointer[0] > 0) jump(buffer, depth - 1);
  __builtin_longjmp(buffer, 1);
}

__attribute__((noinline)) static void set(void **buffer) {
  if (__builtin_setjmp(buffer) != 0) pthread_exit(NULL);  // @error
}

static int retry(void) {
  volatile int rounds = 0;
  const int kept = 5;
  if (__builtin_setjmp(own) == 1) assert(rounds > 0 && kept == 5);
  if (rounds < 3) {
    rounds = rounds + 1;
    jump(own, rounds);
  }
  return rounds;
}

static int twoBuffers(void) {
  void *buffers[2][5];
  volatile int set = 0, came = 0;
  for (volatile int i = 0; i < 2; i++) {
    if (__builtin_setjmp(buffers[i]) != 0) {
      came = came + 1;
      break;
    }
    set = set + 1;
  }
  if (came < 2) jump(buffers[came], 2);
  return set;
}

static void *thread(void *unused) {
#ifdef SHARED
  set(global);
#else
  assert(retry() == 3);
#endif
  return unused;
}

int main(void) {
#ifdef LATE
  set(global);
#endif
#if defined LATE || defined NEVER
  __builtin_longjmp(global, 1);  // @late
#endif
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  thread(NULL);
  pthread_join(other, NULL);
  assert(twoBuffers() == 2);
  return 0;
}
