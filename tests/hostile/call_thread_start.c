// A thread that starts at an address of heddle's.
//! outcome: error wild-call
#include <pthread.h>
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, (void *(*)(void *))0x401000, 0);
  pthread_join(thread, 0);
}
