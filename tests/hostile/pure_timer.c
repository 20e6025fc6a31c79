// Heddle's watchdog taken away.
//! options: --pure setitimer
#include <sys/time.h>
int main(void) { struct itimerval never = {0}; return setitimer(ITIMER_REAL, &never, 0); }
