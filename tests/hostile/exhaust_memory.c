// Memory without end.
//! options: --memory 300
//! outcome: incomplete more than N MB of memory in use
#include <stdlib.h>
#include <string.h>
int main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
