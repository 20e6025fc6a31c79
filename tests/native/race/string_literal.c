//! rc20: verified executions=1 blocked=0
// Constants may be read by anyone at any time: string literals, const tables, functions through pointers.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static const int table[3] = {1, 2, 3};
static const char *const names[2] = {"left", "right"};

static void *look(void *unused) {
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += table[i];
  assert(sum == 6);
  assert(strcmp(names[1], "right") == 0 && names[0][0] == 'l');
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  look(0);
  pthread_join(thread, 0);
  return 0;
}
