// A loop that never ends.
//! options: --stuck 0.5
volatile int goes_on = 1;
int main(void) { while (goes_on) {} }
