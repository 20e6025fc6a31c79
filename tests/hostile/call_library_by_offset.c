// A call of the C library at an offset from a function that may be used.
//! outcome: error wild-call
#include <math.h>
double (*volatile function)(double) = &cos;
int main(void) { return (int)((double (*)(double))((char *)function + 0x1230))(1.0); }
