// An atomic write to the shadow memory.
//! outcome: error wild-pointer
#include <stdatomic.h>
int main(void) { atomic_store((atomic_long *)0x300000001000, 0); }
