// Heddle's output redirected.
//! options: --pure dup2
#include <unistd.h>
int main(void) { return dup2(2, 1); }
