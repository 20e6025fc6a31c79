// A function of heddle's replaced by the program's.
//! outcome: unsupported bad-input
void heddle_plain_write(void *address, unsigned long size, unsigned source, unsigned long value) {}
int x;
int main(void) { x = 1; }
