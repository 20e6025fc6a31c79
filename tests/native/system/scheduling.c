//! rc20: verified executions=2 blocked=0
// Where threads run, with which priority, and under which name: accepted, and no difference.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int value;

static void *worker(void *unused) {
  pthread_setname_np(pthread_self(), "worker");
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strlen(name) < sizeof name);
  sched_yield();
  atomic_store_explicit(&value, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(1, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
  pthread_t thread;
  pthread_create(&thread, &attributes, worker, NULL);
  assert(pthread_setaffinity_np(thread, sizeof set, &set) == 0);
  cpu_set_t all;
  assert(pthread_getaffinity_np(pthread_self(), sizeof all, &all) == 0 && CPU_COUNT(&all) == 4);
  assert(sched_getaffinity(0, sizeof all, &all) == 0 && CPU_ISSET(3, &all) && !CPU_ISSET(4, &all));
  unsigned processor = 9, node = 9;
  assert(getcpu(&processor, &node) == 0 && processor == 0 && node == 0 && sched_getcpu() == 0);
  processor = 9;
  assert(syscall(SYS_getcpu, &processor, NULL, NULL) == 0 && processor == 0);
  struct sched_param parameters = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
  assert(parameters.sched_priority == 99 && sched_get_priority_min(SCHED_RR) == 1);
  int policy;
  assert(pthread_setschedparam(thread, SCHED_FIFO, &parameters) == 0);
  assert(pthread_getschedparam(thread, &policy, &parameters) == 0 && policy == SCHED_OTHER);
  atomic_load_explicit(&value, memory_order_relaxed);
  pthread_join(thread, NULL);
  return 0;
}
