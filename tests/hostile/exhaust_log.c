// Output without end.
//! options: --time 2 --memory 500
#include <stdio.h>
int main(void) { for (;;) puts("a line that says nothing, again and again, until the disk is full"); }
