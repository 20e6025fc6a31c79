//! rc20: error=data-race line=@thread|@main
//! rc20: verified executions=1 flags="-- -DCOPY"
// A large struct passed by value: the callee's copy is its own, and its address can get to another thread.
#include <pthread.h>

struct big {
  int values[10];
};

static void *write_it(void *argument) {
  ((struct big *)argument)->values[9] = 1;  // @thread
  return 0;
}

static int use(struct big mine) {
  pthread_t thread;
  pthread_create(&thread, 0, write_it, &mine);
  int result;
#ifdef COPY
  pthread_join(thread, 0);
  result = mine.values[9];
#else
  result = mine.values[9];  // @main
  pthread_join(thread, 0);
#endif
  return result;
}

int main(void) {
  struct big original = {{0}};
  int result = use(original);
  return original.values[9] + (result == 9);
}
