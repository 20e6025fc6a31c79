//! rc20: error=dead-frame line=@use
// In C++ a jump back past a declaration ends the variable. In C it does not: goto_back.c.
#include <cassert>

int* kept;
int rounds;

int main() {
  {
  again:
    if (rounds) assert(*kept == rounds);  // @use
    int x;
    x = rounds + 1;
    kept = &x;
    rounds++;
    if (rounds < 3) goto again;
  }
  return 0;
}
