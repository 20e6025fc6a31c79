// Heddle's watchdog taken away.
//! options: --pure setitimer
//! outcome: error forbidden-call
#include <sys/time.h>
int main(void) { struct itimerval never = {0}; return setitimer(ITIMER_REAL, &never, 0); }
