// Signals. None ever comes: handlers are kept, given back to who asks, and never called. To send one (raise, kill) is not
// modelled.

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "primitives.h"

namespace {

struct sigaction actions[NSIG];
uint32_t lock;
__thread sigset_t blocked;

bool isSignal(int number) { return number > 0 && number < NSIG; }
bool isSettable(int number) { return isSignal(number) && number != SIGKILL && number != SIGSTOP; }

int failed(int error) {
  errno = error;
  return -1;
}

// The bits of a set, from signal 1 on.
constexpr unsigned kBits = 8 * sizeof(unsigned long);
unsigned long& wordOf(sigset_t* set, int number) { return set->__val[static_cast<unsigned>(number - 1) / kBits]; }
unsigned long bitOf(int number) { return 1ul << (static_cast<unsigned>(number - 1) % kBits); }

int changeMask(int how, const sigset_t* set, sigset_t* old) {
  const sigset_t before = blocked;
  if (set) {
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    for (unsigned i = 0; i < sizeof(sigset_t) / sizeof(unsigned long); ++i) {
      const unsigned long bits = set->__val[i];
      unsigned long& mine = blocked.__val[i];
      mine = how == SIG_BLOCK ? mine | bits : how == SIG_UNBLOCK ? mine & ~bits : bits;
    }
  }
  if (old) *old = before;
  return 0;
}

}  // namespace

extern "C" {

int sigemptyset(sigset_t* set) {
  memset(set, 0, sizeof *set);
  return 0;
}
int sigfillset(sigset_t* set) {
  memset(set, 0xff, sizeof *set);
  return 0;
}
int sigaddset(sigset_t* set, int number) {
  if (!isSignal(number)) return failed(EINVAL);
  wordOf(set, number) |= bitOf(number);
  return 0;
}
int sigdelset(sigset_t* set, int number) {
  if (!isSignal(number)) return failed(EINVAL);
  wordOf(set, number) &= ~bitOf(number);
  return 0;
}
int sigismember(const sigset_t* set, int number) {
  if (!isSignal(number)) return failed(EINVAL);
  return (wordOf(const_cast<sigset_t*>(set), number) & bitOf(number)) != 0;
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) { return changeMask(how, set, old); }
int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  const int error = changeMask(how, set, old);
  return error == 0 ? 0 : failed(error);
}

int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  if (!isSignal(number) || (action && !isSettable(number))) return failed(EINVAL);
  heddle_lock(&lock);
  if (old) *old = actions[number];
  if (action) actions[number] = *action;
  heddle_unlock(&lock);
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction action = {}, old = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

int sigaltstack(const stack_t*, stack_t* old) {
  if (old) *old = {.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  return 0;
}

}  // extern "C"
