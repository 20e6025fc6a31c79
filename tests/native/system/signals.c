//! rc20: verified executions=1 blocked=0
//! rc20: error=unsupported line=@raise text="raise is not modelled" flags="-- -DRAISE"
// Handlers of signals that never come, sets of signals, and masks, which each thread has for itself.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static void handler(int number) { (void)number; }
static void other(int number) { (void)number; }

static void *worker(void *unused) {
  sigset_t mask;
  assert(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && !sigismember(&mask, SIGINT));
  sigfillset(&mask);
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler}, old;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGTERM);
  assert(sigismember(&action.sa_mask, SIGTERM) == 1 && sigismember(&action.sa_mask, SIGINT) == 0);
  sigdelset(&action.sa_mask, SIGTERM);
  assert(sigismember(&action.sa_mask, SIGTERM) == 0 && sigaddset(&action.sa_mask, 1000) == -1 && errno == EINVAL);
  assert(sigaction(SIGSEGV, &action, &old) == 0 && old.sa_handler == SIG_DFL);
  assert(signal(SIGSEGV, other) == handler && signal(SIGPIPE, SIG_IGN) == SIG_DFL);
  assert(sigaction(SIGSEGV, NULL, &old) == 0 && old.sa_handler == other);
  assert(sigaction(SIGKILL, &action, NULL) == -1);

  sigset_t mask, before;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR1);
  assert(sigprocmask(SIG_BLOCK, &mask, NULL) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  sigaddset(&mask, SIGINT);
  assert(pthread_sigmask(SIG_UNBLOCK, &mask, &before) == 0);
  assert(sigismember(&before, SIGUSR1) == 1 && sigismember(&before, SIGINT) == 0);
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  assert(sigismember(&before, SIGUSR1) == 0);
#ifdef RAISE
  raise(SIGSEGV);  // @raise
#endif
  return 0;
}
