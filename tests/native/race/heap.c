//! rc20: error=data-race line=@thread|@main
//! rc20: verified executions=1 blocked=0 flags="-- -DOTHER_FIELD"
// A field of a struct on the heap; two different fields are two different places.
#include <pthread.h>
#include <stdlib.h>

struct pair {
  int first, second;
};

static void *work(void *argument) {
  ((struct pair *)argument)->first = 1;  // @thread
  return NULL;
}

int main(void) {
  struct pair *pair = malloc(sizeof *pair);
  pair->first = pair->second = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, work, pair);
#ifdef OTHER_FIELD
  pair->second = 2;
#else
  pair->first = 2;  // @main
#endif
  pthread_join(thread, NULL);
  free(pair);
  return 0;
}
