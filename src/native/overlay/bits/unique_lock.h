// std::lock, and with it std::scoped_lock of several mutexes.
//
// libstdc++ takes one mutex and tries the others; if it fails it lets go, and starts again with the one it could not
// get, as often as it takes. Two threads can go on like that for ever, and every number of rounds would be another
// execution. An attempt that failed has no effect on what comes after it, so here a thread fails at most once. It then
// waits for the mutex that it could not get, so that one that is never given back is still seen as a deadlock; and if
// it fails again the execution is given up, as there is one in which it comes later and succeeds.
//
// These are for two to four mutexes, and more special than libstdc++'s own for any number. <mutex> includes this
// header before anything in it calls std::lock.
#include_next <bits/unique_lock.h>

#ifndef __HEDDLE_UNIQUE_LOCK_H
#define __HEDDLE_UNIQUE_LOCK_H 1

extern "C" void heddle_assume_hook(int) __attribute__((nothrow));

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

// The number, from 1, of the first mutex that cannot be had, and then none of them is held; 0 if all are.
inline int __heddle_try_all() { return 0; }

template <typename _Lock, typename... _Others>
int __heddle_try_all(_Lock& __lock, _Others&... __others) {
  if (!__lock.try_lock()) return 1;
  const int __failed = std::__heddle_try_all(__others...);
  if (__failed == 0) return 0;
  __lock.unlock();
  return __failed + 1;
}

template <typename _First, typename... _Others>
int __heddle_lock_from(_First& __first, _Others&... __others) {
  __first.lock();
  const int __failed = std::__heddle_try_all(__others...);
  if (__failed != 0) __first.unlock();
  return __failed;
}

template <typename _L1, typename _L2>
void lock(_L1& __l1, _L2& __l2) {
  if (std::__heddle_lock_from(__l1, __l2) != 0) ::heddle_assume_hook(std::__heddle_lock_from(__l2, __l1) == 0);
}

template <typename _L1, typename _L2, typename _L3>
void lock(_L1& __l1, _L2& __l2, _L3& __l3) {
  switch (std::__heddle_lock_from(__l1, __l2, __l3)) {
    case 1: ::heddle_assume_hook(std::__heddle_lock_from(__l2, __l3, __l1) == 0); break;
    case 2: ::heddle_assume_hook(std::__heddle_lock_from(__l3, __l1, __l2) == 0); break;
  }
}

template <typename _L1, typename _L2, typename _L3, typename _L4>
void lock(_L1& __l1, _L2& __l2, _L3& __l3, _L4& __l4) {
  switch (std::__heddle_lock_from(__l1, __l2, __l3, __l4)) {
    case 1: ::heddle_assume_hook(std::__heddle_lock_from(__l2, __l3, __l4, __l1) == 0); break;
    case 2: ::heddle_assume_hook(std::__heddle_lock_from(__l3, __l4, __l1, __l2) == 0); break;
    case 3: ::heddle_assume_hook(std::__heddle_lock_from(__l4, __l1, __l2, __l3) == 0); break;
  }
}

_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std

#endif
