// Descriptors without end.
//! options: --pure dup
#include <unistd.h>
int main(void) { for (;;) dup(0); }
