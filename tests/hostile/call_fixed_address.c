// A call of a fixed address of heddle's own code.
//! outcome: error wild-call
int main(void) { ((int (*)(const char *, int))0x401000)("/tmp", 0777); }
