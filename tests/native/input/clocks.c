//! rc20: verified executions=1 text="time gave one fixed sequence of times" text="gettimeofday gave one fixed sequence of times" text="clock gave one fixed sequence of times"
#include <sys/time.h>
#include <time.h>

int main(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  return time(0) == 0 || clock() < 0;
}
