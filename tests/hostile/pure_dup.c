// Heddle's output redirected.
//! options: --pure dup2
//! outcome: unsupported unsupported
#include <unistd.h>
int main(void) { return dup2(2, 1); }
