// The state of a std::future: a number to wait for.
//
// As in atomic_wait.h, to wait is to look once and to go on only if the number is there; with a limit of time the
// answer is whether it is.
#include <bits/c++config.h>

#if _GLIBCXX_RELEASE > 14
#include_next <bits/atomic_futex.h>
#elif !defined _GLIBCXX_ATOMIC_FUTEX_H
#define _GLIBCXX_ATOMIC_FUTEX_H 1

#include <bits/heddle_time.h>

#include <atomic>

#ifndef _GLIBCXX_ALWAYS_INLINE
#define _GLIBCXX_ALWAYS_INLINE inline __attribute__((__always_inline__))
#endif

extern "C" void heddle_wait(int) __attribute__((nothrow));

namespace std {

// Of the original, for code that was compiled with it: the library models define these.
struct __atomic_futex_unsigned_base {
  bool _M_futex_wait_until(unsigned* __address, unsigned __value, bool __timed, chrono::seconds, chrono::nanoseconds);
  bool _M_futex_wait_until_steady(unsigned* __address, unsigned __value, bool __timed, chrono::seconds,
                                  chrono::nanoseconds);
  static void _M_futex_notify_all(unsigned* __address);
};

template <unsigned _Waiter_bit = 0x80000000>
class __atomic_futex_unsigned : __atomic_futex_unsigned_base {
  atomic<unsigned> _M_data;

 public:
  explicit __atomic_futex_unsigned(unsigned __data) : _M_data(__data) {}

  unsigned _M_load(memory_order __order) { return _M_data.load(__order); }

  unsigned _M_load_when_not_equal(unsigned __value, memory_order __order) {
    const unsigned __now = _M_load(__order);
    ::heddle_wait(__now != __value);
    return __now;
  }

  void _M_load_when_equal(unsigned __value, memory_order __order) { ::heddle_wait(_M_load(__order) == __value); }

  template <typename _Rep, typename _Period>
  bool _M_load_when_equal_for(unsigned __value, memory_order __order, const chrono::duration<_Rep, _Period>& __rtime) {
    const bool __equal = _M_load(__order) == __value;
    if (!__equal) std::__heddle_time_out_for(__rtime);
    return __equal;
  }

  template <typename _Clock, typename _Duration>
  bool _M_load_when_equal_until(unsigned __value, memory_order __order,
                                const chrono::time_point<_Clock, _Duration>& __atime) {
    const bool __equal = _M_load(__order) == __value;
    if (!__equal) std::__heddle_time_out_until(__atime);
    return __equal;
  }

  void _M_store_notify_all(unsigned __value, memory_order __order) { _M_data.store(__value, __order); }
};

}  // namespace std

#endif
