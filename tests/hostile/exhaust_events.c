// Atomic operations without end.
//! outcome: incomplete the execution graph is too large (over a million events, or N in one thread)
#include <stdatomic.h>
atomic_int x;
int main(void) { for (;;) atomic_fetch_add(&x, 1); }
