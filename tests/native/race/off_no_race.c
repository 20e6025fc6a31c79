//! rc20,sc: verified executions=2 blocked=0
//! rc20,sc: verified executions=2 blocked=0 flags="--races=off"
// A program without races has the same executions with --races=off.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int count;
  char name[12];
} shared;

static void *work(void *name) {
  pthread_mutex_lock(&m);
  shared.count++;
  strcpy(shared.name, name);
  pthread_mutex_unlock(&m);
  return name;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, "thread");
  work("main");
  pthread_join(thread, 0);
  assert(shared.count == 2);
  assert(!strcmp(shared.name, "main") || !strcmp(shared.name, "thread"));
}
