//! rc20: verified executions=1
// main with three parameters.
#include <assert.h>
#include <stddef.h>

int main(int argc, char **argv, char **environment) {
  assert(argc >= 1 && argv != NULL && environment != NULL);
  return 3;
}
