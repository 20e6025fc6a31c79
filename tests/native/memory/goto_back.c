//! rc20: verified executions=1 blocked=0
//! sc: verified executions=1 blocked=0 flags="--races off"
// In C a jump back past a declaration does not end the variable: its block has not been left. In C++ it does: goto_back_ends.cpp.
#include <assert.h>

int *kept;
int rounds;

int main(void) {
  {
  again:
    if (rounds) assert(*kept == rounds);
    int x;
    x = rounds + 1;
    kept = &x;
    rounds++;
    if (rounds < 3) goto again;
  }
  return 0;
}
