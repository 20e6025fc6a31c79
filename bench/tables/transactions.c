// N threads that each do something to plain variables in one step: a transaction, or with -DLOCK a critical section of one lock.
//
//   (nothing)      thread i increments variable i
//   -DCONFLICT     all increment the same one
//   -DRING         thread i reads variable i and writes variable i + 1
//   -DTRANSFER     thread i transfers from account 2i to account 2i + 1, and one more thread adds up two of them
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

#ifdef LOCK
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define BEGIN pthread_mutex_lock(&lock)
#define END pthread_mutex_unlock(&lock)
#else
#define BEGIN heddle_transaction_begin()
#define END heddle_transaction_end()
#endif

static int variable[2 * N + 2];

static void *run(void *number) {
  const int i = *(int *)number;
  BEGIN;
#ifdef CONFLICT
  ++variable[0];
#elif defined RING
  variable[(i + 1) % N] = variable[i] + 1;
#elif defined TRANSFER
  if (i == N) {
    assert(variable[0] + variable[1] == 0);
  } else {
    --variable[2 * i];
    ++variable[2 * i + 1];
  }
#else
  ++variable[i];
#endif
  END;
  return 0;
}

int main(void) {
#ifdef TRANSFER
  enum { threads = N + 1 };
#else
  enum { threads = N };
#endif
  pthread_t thread[threads];
  int number[threads];
  for (int i = 0; i < threads; ++i) {
    number[i] = i;
    pthread_create(&thread[i], 0, run, &number[i]);
  }
  for (int i = 0; i < threads; ++i) pthread_join(thread[i], 0);
  return 0;
}
