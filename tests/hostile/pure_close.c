// Heddle's output closed.
//! options: --pure close_range
//! outcome: error forbidden-call
#define _GNU_SOURCE
#include <unistd.h>
int main(void) { return close_range(0, 100, 0); }
