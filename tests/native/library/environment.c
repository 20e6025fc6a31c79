//! rc20: verified executions=1 text="getenv found nothing"
//! rc20: error=data-race line=@set flags="-- -DRACE"
//! rc20: error=use-after-free line=@kept flags="-- -DKEPT"
// The environment holds what the program puts there. Two threads may not use it at the same time if one of them changes it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *reader(void *unused) {
#ifdef RACE
  getenv("LEVEL");
#endif
  return NULL;
}

int main(void) {
  assert(environ[0] == NULL && getenv("HOME") == NULL);
  for (char name[] = "A"; *name <= 'H'; ++*name) assert(setenv(name, "x", 0) == 0);
  assert(setenv("LEVEL", "1", 1) == 0 && strcmp(getenv("LEVEL"), "1") == 0);
  assert(setenv("LEVEL", "2", 0) == 0 && strcmp(getenv("LEVEL"), "1") == 0);
  const char *kept = getenv("LEVEL");
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  assert(setenv("LEVEL", "22", 1) == 0 && strcmp(getenv("LEVEL"), "22") == 0);  // @set
#ifdef KEPT
  assert(*kept == '1');  // @kept
#endif
  (void)kept;
  pthread_join(thread, NULL);
  static char own[] = "OWN=here";
  assert(putenv(own) == 0 && getenv("OWN") == own + 4);
  own[4] = 'H';
  assert(strcmp(getenv("OWN"), "Here") == 0);
  assert(unsetenv("OWN") == 0 && unsetenv("OWN") == 0 && getenv("OWN") == NULL && unsetenv("C") == 0);
  assert(setenv("", "x", 1) == -1 && errno == EINVAL && setenv("A=B", "x", 1) == -1);
  assert(strcmp(environ[0], "A=x") == 0 && strcmp(environ[2], "D=x") == 0 && environ[8] == NULL);
  assert(clearenv() == 0 && getenv("A") == NULL);
  return 0;
}
