//! rc20: verified executions=6 blocked=0
// Big local arrays, private and shared, in threads that are rewound: what is in them is right in each execution.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int counter;

static void *work(void *unused) {
  char private_text[300];
  int numbers[200];
  memset(private_text, 'a', sizeof private_text);
  int first = atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  for (int i = 0; i < 200; i++) numbers[i] = first + i;
  private_text[first] = 'b';
  int second = atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  assert(second > first && numbers[199] == first + 199);
  for (int i = 0; i < 300; i++) assert(private_text[i] == (i == first ? 'b' : 'a'));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  assert(atomic_load(&counter) == 4);
  return 0;
}
