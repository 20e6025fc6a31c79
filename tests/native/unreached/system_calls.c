//! rc20: verified executions=6 blocked=0
//! rc20: error=unsupported line=@first text="poll is not modelled" text="define a stub" flags="-- -DREACHED"
// Calls of functions that are not modelled, in code that no execution comes to: a log, a dump for errors, tuning.
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_int counter;
static int mode;

static void dump(const char *name) {
  void *frames[8];
  char buffer[16];
  struct pollfd waiting = {0, POLLIN, 0};
  poll(&waiting, 1, 10);  // @first
  prctl(PR_SET_PDEATHSIG, 1);
  int file = open(name, O_RDWR);
  if (read(file, buffer, sizeof buffer) < 0 || fsync(file) != 0 || fcntl(file, F_GETFL) < 0) close(file);
  struct rlimit limit;
  getrlimit(RLIMIT_STACK, &limit);
  if (getauxval(AT_HWCAP) != 0) dlopen("libnuma.so", RTLD_NOW);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  backtrace_symbols_fd(frames, backtrace(frames, 8), 2);
}

static void *worker(void *unused) {
  if (atomic_fetch_add(&counter, 1) > 5) dump("log");
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(counter == 3);
#ifdef REACHED
  mode = 1;
#endif
  if (mode) dump("log");
  return 0;
}
