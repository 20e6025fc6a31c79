//! sc: verified executions=12 flags="--persistency strict -- -DSTRICT"
//! sc: verified executions=512 flags="--persistency weakest"
//! sc: error=recovery line=@order|@text flags="--persistency weakest -- -DSTRICT"
// Structures that are copied, and memset and memcpy: each member, or aligned word, is a write of its own. Recovery copies, too.
#include <heddle/heddle.h>
#include <string.h>

typedef struct {
  int a;
  char b;
  short c;
  long d;
} record;

HEDDLE_PERSISTENT record first;
HEDDLE_PERSISTENT record others[2];
HEDDLE_PERSISTENT char text[12];

int main(void) {
  record local = {1, 2, 3, 4};
  first = local;
  others[1] = first;
  memset(text, 7, sizeof text);
  memcpy(text, "hello", 6);
  return 0;
}

void heddle_recovery(void) {
  record copy = first, other;
  memcpy(&other, &others[1], sizeof other);
  heddle_assert((copy.a == 0 || copy.a == 1) && (other.a == 0 || other.a == 1));
#ifdef STRICT
  heddle_assert(!other.a || (copy.a == 1 && copy.b == 2 && copy.c == 3 && copy.d == 4));  // @order
  if (text[0] == 'h') heddle_assert(other.d == 4 && text[11] == 7);  // @text
#endif
}
