// Threads without end.
//! options: --time 5
//! outcome: incomplete the program starts more than N threads, counting those that have ended
#include <pthread.h>
static void *run(void *unused) { return unused; }
int main(void) { for (;;) { pthread_t thread; pthread_create(&thread, 0, run, 0); } }
