//! rc20: verified executions=1
//! rc20: error=unsupported line=@use text="optarg is not modelled" flags="-- -DREACHED"
// A variable of the system that is not modelled.
#include <assert.h>
#include <stddef.h>
#include <unistd.h>

static volatile int parse;

static const char *argument(void) {
  return optarg;  // @use
}

int main(void) {
#ifdef REACHED
  parse = 1;
#endif
  if (parse) assert(argument() == NULL);
  return 0;
}
