// Recursion that never ends.
//! outcome: error stack-overflow
static int deeper(volatile int *n) { volatile int next = *n + 1; return deeper(&next) + 1; }
int main(void) { volatile int n = 0; return deeper(&n); }
