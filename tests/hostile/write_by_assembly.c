// Assembly that writes to the shadow memory.
//! outcome: unsupported unsupported
int main(void) { __asm__ volatile("movq $0, (%0)" : : "r"(0x300000001000) : "memory"); }
