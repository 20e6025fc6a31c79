//! rc20: error=deadlock line=@again
//! rc20: verified executions=1 flags="-- -DMISS"
// The function waits for its own end. MISS: another pthread_once_t.
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT, other = PTHREAD_ONCE_INIT;
int depth;

void initialise(void) {
#ifdef MISS
  if (depth++ == 0) pthread_once(&other, initialise);
#else
  pthread_once(&once, initialise);  // @again
#endif
}

int main(void) { pthread_once(&once, initialise); }
