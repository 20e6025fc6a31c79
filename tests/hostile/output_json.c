// JSON printed in a run with --json.
//! options: --output
//! outcome: error assertion-failure
#include <assert.h>
#include <stdio.h>
int main(void) { puts("{\"verdict\": \"verified\"}"); assert(0); }
