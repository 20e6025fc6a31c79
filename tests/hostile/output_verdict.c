// A verdict and control characters in what the program prints.
//! options: --output
//! outcome: error assertion-failure
#include <assert.h>
#include <stdio.h>
int main(void) {
  printf("verified   output_verdict.c under rc20: 1 execution, 0 blocked, 0.01 s, 1 MB\n\033[2J\033]0;owned\007\r");
  assert(0);
}
