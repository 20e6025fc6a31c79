//! rc20: error=misuse line=@late text="longjmp into a function that has returned" flags="-- -DCASE=1"
//! rc20: error=misuse line=@other text="longjmp with a buffer that another thread has filled in" flags="-- -DCASE=2"
//! rc20: error=misuse line=@empty text="longjmp with a buffer that setjmp has not filled in" flags="-- -DCASE=3"
//! rc20: error=data-race line=@error flags="-- -DCASE=4"
//! rc20: error=dead-frame line=@use flags="-- -DCASE=5"
//! rc20: error=misuse line=@late text="longjmp into a function that has returned" flags="-- -DCASE=6"
//! rc20: error=uninitialised-read line=@local flags="-- -DCASE=7"
//! rc20: error=misuse line=@again text="longjmp into a function that has returned" flags="-- -DCASE=8"
// Jumps that go wrong. 1: the function that has called setjmp has returned. 2: the buffer is another thread's. 3: it was never set.
// 4: two threads use one buffer. 5: a variable of a function that was left is used. 6: as 1, and the same function is running
// again. 7: the buffer is a local variable that was never set. 8: the function was left by a jump itself.
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static jmp_buf buffer, outer;
static int *pointer;

static int set(void) { return setjmp(buffer); }  // @error

static void leave(void) {
  int local[2] = {1, 2};
  pointer = local;
  longjmp(buffer, 1);
}

static void setAndLeave(void) {
  if (setjmp(buffer) == 0) longjmp(outer, 1);
}

static void jumpTwice(int depth) {
  jmp_buf own;
  if (depth == 0) longjmp(buffer, 1);  // @late
  if (setjmp(own) == 0) jumpTwice(depth - 1);
}

static void *run(void *unused) {
#if CASE == 2
  longjmp(buffer, 1);  // @other
#elif CASE == 4
  set();
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#if CASE == 1
  set();
  jumpTwice(0);
#elif CASE == 2
  if (setjmp(buffer) == 0) {
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
  }
#elif CASE == 3
  longjmp(buffer, 1);  // @empty
#elif CASE == 4
  pthread_create(&thread, NULL, run, NULL);
  set();
  pthread_join(thread, NULL);
#elif CASE == 5
  if (setjmp(buffer) == 0) leave();
  return pointer[1];  // @use
#elif CASE == 6
  if (set() == 0) jumpTwice(2);
#elif CASE == 7
  jmp_buf local;
  longjmp(local, 1);  // @local
#elif CASE == 8
  if (setjmp(outer) == 0) setAndLeave();
  longjmp(buffer, 1);  // @again
#endif
  return 0;
}
