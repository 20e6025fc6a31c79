// Where and with which priority threads run, and what they are called. None of it makes a difference: every schedule is
// explored anyway. What is set is accepted and forgotten; names are for reports.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

namespace {

constexpr int kProcessors = 4;  // as many as sysconf says

int allProcessors(size_t size, cpu_set_t* set) {
  memset(set, 0, size);
  for (int i = 0; i < kProcessors; ++i) CPU_SET_S(i, size, set);
  return 0;
}

bool isRealTime(int policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }

}  // namespace

extern "C" {

int sched_setaffinity(pid_t, size_t, const cpu_set_t*) { return 0; }
int sched_getaffinity(pid_t, size_t size, cpu_set_t* set) {
  WARN_OF_ONE_RESULT("sched_getaffinity gave one fixed set of processors, 0 to 3");
  return allProcessors(size, set);
}
int pthread_setaffinity_np(pthread_t, size_t, const cpu_set_t*) { return 0; }
int pthread_getaffinity_np(pthread_t, size_t size, cpu_set_t* set) {
  WARN_OF_ONE_RESULT("pthread_getaffinity_np gave one fixed set of processors, 0 to 3");
  return allProcessors(size, set);
}
int pthread_attr_setaffinity_np(pthread_attr_t*, size_t, const cpu_set_t*) { return 0; }

// Behind CPU_COUNT and CPU_ALLOC.
int __sched_cpucount(size_t size, const cpu_set_t* set) {
  int count = 0;
  for (size_t i = 0; i < size / sizeof(__cpu_mask); ++i) count += __builtin_popcountl(set->__bits[i]);
  return count;
}
cpu_set_t* __sched_cpualloc(size_t count) { return static_cast<cpu_set_t*>(malloc(CPU_ALLOC_SIZE(count))); }
void __sched_cpufree(cpu_set_t* set) { free(set); }

int sched_getcpu(void) {
  WARN_OF_ONE_RESULT("sched_getcpu gave one fixed number, 0");
  return 0;
}
int getcpu(unsigned* processor, unsigned* node) {
  WARN_OF_ONE_RESULT("getcpu gave one fixed number, 0");
  if (processor) *processor = 0;
  if (node) *node = 0;
  return 0;
}

int sched_get_priority_min(int policy) { return isRealTime(policy) ? 1 : 0; }
int sched_get_priority_max(int policy) { return isRealTime(policy) ? 99 : 0; }
int sched_setscheduler(pid_t, int, const sched_param*) { return 0; }
int sched_getscheduler(pid_t) { return SCHED_OTHER; }
int sched_setparam(pid_t, const sched_param*) { return 0; }
int sched_getparam(pid_t, sched_param* parameters) {
  *parameters = {};
  return 0;
}
int pthread_setschedparam(pthread_t, int, const sched_param*) { return 0; }
int pthread_setschedprio(pthread_t, int) { return 0; }
int pthread_getschedparam(pthread_t, int* policy, sched_param* parameters) {
  *policy = SCHED_OTHER;
  *parameters = {};
  return 0;
}
int pthread_attr_setschedparam(pthread_attr_t*, const sched_param*) { return 0; }

int pthread_setname_np(pthread_t thread, const char* name) {
  const size_t length = strnlen(name, 16);
  if (length == 16) return ERANGE;
  heddle_check_read(name, length + 1);
  heddle_name_thread(static_cast<uint32_t>(thread - 1), name);
  return 0;
}
int pthread_getname_np(pthread_t, char* name, size_t size) {
  constexpr char kName[] = "program";
  if (size < 16) return ERANGE;  // as the kernel's names are long
  WARN_OF_ONE_RESULT("pthread_getname_np gave one fixed name, 'program', whatever the thread was named");
  memcpy(name, kName, sizeof kName);
  return 0;
}

}  // extern "C"
