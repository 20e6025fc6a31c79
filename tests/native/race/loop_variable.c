//! rc20: error=data-race line=@loop|@read
//! rc20: verified executions=1 flags="-- -DCOPIES"
// Every thread gets the address of the loop's variable. COPIES: of one of its own.
#include <pthread.h>

static void *work(void *number) {
  int mine = *(int *)number;  // @read
  return mine == 99 ? number : 0;
}

int main(void) {
  pthread_t threads[2];
  int copies[2];
  for (int i = 0; i < 2; i++) {  // @loop
    copies[i] = i;
#ifdef COPIES
    pthread_create(&threads[i], 0, work, &copies[i]);
#else
    pthread_create(&threads[i], 0, work, &i);
#endif
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
