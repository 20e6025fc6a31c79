// A write to the program's own code.
//! outcome: error wild-pointer
static void function(void) {}
void (*volatile pointer)(void) = &function;
int main(void) { *(volatile long *)pointer = 0; pointer(); }
