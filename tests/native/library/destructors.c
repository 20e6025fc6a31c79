//! rc20: verified text="early late constructed main handler b a last" flags="--output"
//! rc20: error=assertion-failure line=@assert flags="-- -DBUG"
// Functions that run before main and after what atexit has registered, by priority.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int stage;

__attribute__((constructor)) static void construct(void) { stage = 1, printf("constructed "); }
__attribute__((constructor(200))) static void late(void) { printf("late "); }
__attribute__((constructor(101))) static void early(void) { printf("early "); }
__attribute__((destructor)) static void a(void) { printf("a "); }
__attribute__((destructor)) static void b(void) {
  assert(stage == 3);
#ifdef BUG
  assert(stage != 3);  // @assert
#endif
  printf("b ");
}
__attribute__((destructor(101))) static void last(void) { printf("last\n"); }

static void handler(void) { assert(stage == 2), stage = 3, printf("handler "); }

int main(void) {
  assert(stage == 1);
  stage = 2;
  atexit(handler);
  printf("main ");
  return 0;
}
