//! rc20: verified executions=2 flags="tests/native/input/parts/second_file.c"
//! rc20: rejected text="per_thread"
// A program in two files, with a thread_local, a static of the same name and an atomic in common.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern atomic_int shared_counter;
extern _Thread_local int per_thread;
void *second_file_add(void *unused);
static int hidden = 5;

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second_file_add, 0);
  second_file_add(0);
  pthread_join(thread, 0);
  assert(atomic_load(&shared_counter) == 2 && hidden == 5 && per_thread == 1);
  return 0;
}
