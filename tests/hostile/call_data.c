// A call of machine code in a global variable.
//! outcome: error wild-call
static const unsigned char code[] = {0xb8, 0x53, 0, 0, 0, 0x0f, 0x05, 0xc3};
int main(void) { ((void (*)(const char *, int))code)("/tmp/heddle-hostile", 0777); }
