//! rc20: error=undefined-behaviour line=@memcpy text="overlap" flags="--ub -- -DMEMCPY"
//! rc20: error=undefined-behaviour line=@backwards flags="--ub -- -DBACKWARDS"
//! rc20: error=undefined-behaviour line=@strcpy flags="--ub -- -DSTRCPY"
//! rc20: error=undefined-behaviour line=@strcat flags="--ub -- -DSTRCAT"
//! rc20: error=undefined-behaviour line=@struct flags="--ub -- -DSTRUCT"
//! rc20: error=undefined-behaviour line=@pointer flags="--ub -- -DPOINTER"
//! rc20: verified executions=1 blocked=0 flags="--ub"
//! rc20: verified executions=1 blocked=0 flags="-- -DMEMCPY"
// Copies between objects that overlap are undefined, but for memmove and an assignment of an object to itself.
#include <stdlib.h>
#include <string.h>

struct Large {
  long words[8];
};

int main(void) {
  struct Large *large = calloc(1, sizeof *large + 8);
  char text[64] = "overlapping", *start = text;
#if defined MEMCPY
  memcpy(start + 1, start, 10);  // @memcpy
#elif defined BACKWARDS
  memcpy(start, start + 1, 10);  // @backwards
#elif defined STRCPY
  strcpy(start + 3, start);  // @strcpy
#elif defined STRCAT
  strcat(start, start);  // @strcat
#elif defined STRUCT
  *(struct Large *)((char *)large + 8) = *large;  // @struct
#elif defined POINTER
  void *(*volatile copy)(void *, const void *, size_t) = memcpy;
  copy(start, start + 1, 8);  // @pointer
#else
  struct Large *same = large;
  *large = *same;
  memmove(start + 1, start, 10);
  memcpy(start + 20, start, 20);
  memcpy(start + 1, start, 0);
#endif
  free(large);
  return start[0] == 0;
}
