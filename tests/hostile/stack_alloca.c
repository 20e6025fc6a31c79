// Alloca of a gigabyte, and a write to it.
//! outcome: error signal
#include <alloca.h>
int main(void) { volatile char *memory = alloca(1ul << 30); memory[0] = 1; memory[(1ul << 30) - 1] = 1; return memory[0]; }
