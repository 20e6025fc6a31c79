//! rc20,sc: error=data-race line=@threads flags="-- -DTWO"
//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="-- -DTWO -DREENTRANT"
// strtok has one state for the whole program: a thread may go on where another has stopped, and two at the same time are a
// race. strtok_r has no state.
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <string.h>

#ifdef TWO
static void *split(void *text) {
#ifdef REENTRANT
  char *rest;
  while (strtok_r(text, " ", &rest)) text = 0;
#else
  strtok(text, " ");  // @threads
#endif
  return 0;
}
#else
static void *go_on(void *unused) {
  assert(strcmp(strtok(0, " "), "two") == 0);
  return unused;
}
#endif

int main(void) {
  pthread_t thread;
#ifdef TWO
  char mine[] = "a b", its[] = "c d";
  pthread_create(&thread, 0, split, its);
  split(mine);
  pthread_join(thread, 0);
#else
  char text[] = "one two three";
  assert(strcmp(strtok(text, " "), "one") == 0);
  pthread_create(&thread, 0, go_on, 0);
  pthread_join(thread, 0);
  assert(strcmp(strtok(0, " "), "three") == 0 && !strtok(0, " "));
#endif
  return 0;
}
