//! rc20: verified executions=16 blocked=0 flags="--races=off -- -DN=4"
//! rc20: verified executions=64 blocked=0 flags="--races=off -j 2 -- -DN=6"
//! rc20: verified executions=16 blocked=0 flags="--races=off -- -DN=4 -O2"
// Races at many places, each of them for itself.
#include <assert.h>
#include <pthread.h>

static int data[N + 1];

static void *writer(void *unused) {
  for (int i = 0; i < N; ++i) data[i] = i + 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int sum = 0;
  for (int i = N; i > 0; --i) sum += data[i - 1];
  pthread_join(thread, 0);
  for (int i = 0; i < N; ++i) assert(data[i] == i + 1);
  assert(sum >= 0 && sum <= N * (N + 1) / 2 && data[N] == 0);
}
