// Descriptors without end.
//! options: --pure dup
//! outcome: unsupported unsupported
#include <unistd.h>
int main(void) { for (;;) dup(0); }
