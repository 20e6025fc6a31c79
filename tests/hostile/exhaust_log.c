// Output without end.
//! options: --time 60 --memory 500
//! outcome: incomplete more than N MB of memory in use
#include <stdio.h>
int main(void) { for (;;) puts("a line that says nothing, again and again, until the disk is full"); }
