// Heddle's output redirected.
//! options: --pure dup2
//! outcome: error forbidden-call
#include <unistd.h>
int main(void) { return dup2(2, 1); }
