//! rc20: verified executions=2
//! rc20: error=assertion-failure line=@result flags="-- -DWRONG"
// A table of functions, one chosen by another thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }

static const operation table[2] = {add, multiply};
static _Atomic(operation) chosen = add;

static void *choose(void *index) {
  atomic_store(&chosen, table[*(int *)index]);
  return 0;
}

static int apply(operation f, int a, int b) { return f(a, b); }

int main(void) {
  pthread_t thread;
  int index = 1;
  pthread_create(&thread, 0, choose, &index);
  int result = apply(atomic_load(&chosen), 3, 4);
#ifdef WRONG
  assert(result == 7);  // @result
#else
  assert(result == 7 || result == 12);
#endif
  pthread_join(thread, 0);
  return 0;
}
