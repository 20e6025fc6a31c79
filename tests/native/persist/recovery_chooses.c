//! sc: verified executions=5 blocked=0 flags="--persistency strict"
//! sc: error=recovery line=@other flags="--persistency strict -- -DASSERT"
// What recovery has found on one way does not bind it on another, where it reads something else.
#include <heddle/heddle.h>

HEDDLE_PERSISTENT int x, y;

int main(void) {
  x = 1;
  y = 1;
  return 0;
}

// Reads x, which may be lost or not; or chooses once more, and reads y, or nothing.
void heddle_recovery(void) {
  if (heddle_choose(2) == 0) {
    heddle_assert(x <= 1);
  } else if (heddle_choose(2) == 0) {
#ifdef ASSERT
    heddle_assert(y == 0);  // @other
#else
    heddle_assert(y <= 1);
#endif
  }
}
