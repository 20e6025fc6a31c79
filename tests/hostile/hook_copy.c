// Heddle's own copy function called with wild pointers.
//! outcome: unsupported bad-input
void heddle_copy(void *to, const void *from, unsigned long size, unsigned source);
static char zeros[64];
int main(void) { heddle_copy((void *)0x401000, zeros, sizeof zeros, 0); }
