// Address space without end.
//! options: --time 5
//! outcome: incomplete out of time after N s
#include <stdlib.h>
int main(void) { for (;;) { volatile char *m = malloc(1ul << 32); if (m) *m = 1; } }
