// A system call in assembly outside of functions.
//! outcome: unsupported bad-input
__asm__(".globl escape\nescape: mov $83, %eax\nsyscall\nret");
void escape(const char *, int);
int main(void) { escape("/tmp/heddle-hostile", 0777); }
