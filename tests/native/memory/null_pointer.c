//! rc20: error=null-pointer line=@read
//! rc20: error=null-pointer line=@field flags="-- -DFIELD"
//! rc20: error=null-pointer line=@write flags="-- -DWRITE"
//! rc20: error=null-pointer line=@call flags="-- -DCALL"
//! rc20: error=null-pointer line=@atomic flags="-- -DATOMIC"
//! rc20: verified executions=1 flags="-- -DVALID"
// Null, read, written, called, and behind an offset.
#include <stdatomic.h>
#include <stddef.h>

struct wide {
  char padding[200];
  int field;
};

static struct wide object;
#ifdef VALID
static struct wide *volatile pointer = &object;
#else
static struct wide *volatile pointer = NULL;
#endif
static int (*volatile function)(void) = NULL;
static atomic_int *volatile number = NULL;

int main(void) {
  int seen = 0;
#if defined WRITE
  pointer->padding[0] = 1;  // @write
#elif defined FIELD
  seen = pointer->field;  // @field
#elif defined CALL
  seen = function();  // @call
#elif defined ATOMIC
  seen = atomic_load(number);  // @atomic
#else
  seen = pointer->padding[0];  // @read
#endif
  return seen + (object.field == 9);
}
