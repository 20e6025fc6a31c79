// A loop that never ends.
//! options: --stuck 0.5
//! outcome: error no-progress
volatile int goes_on = 1;
int main(void) { while (goes_on) {} }
