//! rc20: error=uninitialised-read line=@branch
//! rc20: verified executions=1 flags="-- -DALLOCATE=calloc(1,sizeof(struct_pair))"
//! rc20: verified executions=1 flags="-- -DWRITE"
// malloc leaves memory as it is, calloc does not.
#include <stdlib.h>

typedef struct {
  int first, second;
} struct_pair;

#ifndef ALLOCATE
#define ALLOCATE malloc(sizeof(struct_pair))
#endif

int main(void) {
  struct_pair *pair = ALLOCATE;
  pair->first = 1;
#ifdef WRITE
  pair->second = 2;
#endif
  int result = 0;
  if (pair->second == 3) result = 1;  // @branch
  free(pair);
  return result;
}
