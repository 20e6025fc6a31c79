//! rc20: verified executions=1
//! rc20: error=assertion-failure line=@assert flags="-- -DBUG"
// Functions that run before main and after what atexit has registered, by priority.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int stage;
static char order[64];

__attribute__((constructor)) static void construct(void) { stage = 1, strcat(order, "constructed "); }
__attribute__((constructor(200))) static void late(void) { strcat(order, "late "); }
__attribute__((constructor(101))) static void early(void) { strcat(order, "early "); }
__attribute__((destructor)) static void a(void) { strcat(order, "a "); }
__attribute__((destructor)) static void b(void) {
  assert(stage == 3);
#ifdef BUG
  assert(stage != 3);  // @assert
#endif
  strcat(order, "b ");
}
__attribute__((destructor(101))) static void last(void) { assert(strcmp(order, "early late constructed main handler b a ") == 0); }

static void handler(void) { assert(stage == 2), stage = 3, strcat(order, "handler "); }

int main(void) {
  assert(stage == 1);
  stage = 2;
  atexit(handler);
  strcat(order, "main ");
  return 0;
}
