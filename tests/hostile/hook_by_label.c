// The same by an assembler name.
//! outcome: unsupported bad-input
void innocent(void *to, int byte, unsigned long size, unsigned source) __asm__("heddle_set");
int main(void) { innocent((void *)0x401000, 0, 64, 0); }
