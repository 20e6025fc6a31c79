//! rc20: verified executions=1 text="arguments.c:9: main was run without arguments; no others were explored"
//! rc20: error=assertion-failure line=@assert flags="--arg 1 --arg 2"

#include <assert.h>
#include <string.h>

// Without --args there are none, and a warning says so.

int main(int argc, char** argv) {
  assert(argc < 3);  // @assert
  return argc > 1 ? (int)strlen(argv[1]) - 1 : 0;
}
