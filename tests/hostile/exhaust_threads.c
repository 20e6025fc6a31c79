// Threads without end.
//! options: --time 5
#include <pthread.h>
static void *run(void *unused) { return unused; }
int main(void) { for (;;) { pthread_t thread; pthread_create(&thread, 0, run, 0); } }
