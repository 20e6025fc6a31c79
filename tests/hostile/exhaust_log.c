// Output without end.
//! options: --time 2 --memory 500
//! outcome: incomplete out of time after N s
#include <stdio.h>
int main(void) { for (;;) puts("a line that says nothing, again and again, until the disk is full"); }
