// A write to a function of the C library.
//! outcome: error wild-pointer
#include <math.h>
double (*volatile function)(double) = &cos;
int main(void) { *(volatile long *)function = 0; }
