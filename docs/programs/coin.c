// A result that has many values in reality, for docs/library.md.
#include <assert.h>
#include <stdlib.h>

int main(void) { assert(rand() % 2 == 0); }
