// Descriptors without end.
//! options: --pure dup
//! outcome: error forbidden-call
#include <unistd.h>
int main(void) { for (;;) dup(0); }
