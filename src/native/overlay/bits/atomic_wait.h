// Waiting on atomics: std::atomic<T>::wait, std::latch, std::barrier.
//
// libstdc++ spins, counts waiters in a table, and then asks the kernel. Here a waiting thread looks once, and goes on
// only in executions in which what it saw is what it waits for; every value it could see is explored, so nothing is
// lost by not looking again. A notification does nothing either, but is noted, and so is that a thread goes on: without a
// notification, or if it wakes somebody else, the thread might have gone to sleep for ever just before the value changed
// (notifications.h). Other internals of libstdc++ 11 to 14 rely on the names
// below and on the headers that the original includes.
#include <bits/c++config.h>

#if _GLIBCXX_RELEASE < 11 || _GLIBCXX_RELEASE > 14
#include_next <bits/atomic_wait.h>
#elif !defined _GLIBCXX_ATOMIC_WAIT_H
#define _GLIBCXX_ATOMIC_WAIT_H 1

#include <bits/functexcept.h>
#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <bits/std_mutex.h>
#include <syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ext/numeric_traits.h>

#ifndef __cpp_lib_atomic_wait
#define __cpp_lib_atomic_wait 201907L
#endif

extern "C" {
void heddle_wait(int) __attribute__((nothrow));
void heddle_wait_notified(const void*, int) __attribute__((nothrow));
void heddle_end_of_wait(const void*, unsigned long) __attribute__((nothrow));
void heddle_notify(const void*) __attribute__((nothrow));
void heddle_notify_one(const void*) __attribute__((nothrow));
void heddle_assume_hook(int) __attribute__((nothrow));
}

namespace std {

namespace __detail {

using __platform_wait_t = int;
inline constexpr size_t __platform_wait_alignment = 4;

inline void __thread_yield() noexcept {
  __gthread_yield();
}
inline void __thread_relax() noexcept {
  __builtin_ia32_pause();
}

// Do the values have the same bytes? Padding at the end of a long double does not count.
template <typename _Tp>
bool __heddle_same(const _Tp& __a, const _Tp& __b) noexcept {
  constexpr size_t __size = __is_same(__remove_cv(_Tp), long double) ? 10 : sizeof(_Tp);
  unsigned char __x[__size], __y[__size];
  __builtin_memcpy(__x, __builtin_addressof(__a), __size);
  __builtin_memcpy(__y, __builtin_addressof(__b), __size);
  for (size_t __i = 0; __i < __size; ++__i)
    if (__x[__i] != __y[__i]) return false;
  return true;
}

// Powers of two as one number, which is quicker to check than bytes.
template <typename _Word, typename _Tp>
bool __heddle_same_word(const _Tp& __a, const _Tp& __b) noexcept {
  _Word __x, __y;
  __builtin_memcpy(&__x, __builtin_addressof(__a), sizeof(_Tp));
  __builtin_memcpy(&__y, __builtin_addressof(__b), sizeof(_Tp));
  return __x == __y;
}

template <typename _Tp>
bool __atomic_compare(const _Tp& __a, const _Tp& __b) noexcept {
  if constexpr (sizeof(_Tp) == 1)
    return __heddle_same_word<unsigned char>(__a, __b);
  else if constexpr (sizeof(_Tp) == 2)
    return __heddle_same_word<unsigned short>(__a, __b);
  else if constexpr (sizeof(_Tp) == 4)
    return __heddle_same_word<unsigned>(__a, __b);
  else if constexpr (sizeof(_Tp) == 8)
    return __heddle_same_word<unsigned long>(__a, __b);
  else
    return __heddle_same(__a, __b);
}

}  // namespace __detail

template <typename _Tp, typename _Value>
void __atomic_wait_address_v(const _Tp* __address, _Tp __old, _Value __value) noexcept {
  ::heddle_wait_notified(__address, !__detail::__atomic_compare<_Tp>(__old, __value()));
  if constexpr (sizeof(_Tp) <= sizeof(unsigned long)) {
    unsigned long __bits = 0;
    __builtin_memcpy(&__bits, __builtin_addressof(__old), sizeof(_Tp));
    ::heddle_end_of_wait(__address, __bits);
  }
}

template <typename _Tp, typename _Condition>
void __atomic_wait_address(const _Tp* __address, _Condition __condition) noexcept {
  ::heddle_wait_notified(__address, __condition());
}

template <typename _Condition>
void __atomic_wait_address_bare(const __detail::__platform_wait_t* __address, _Condition __condition) noexcept {
  ::heddle_wait_notified(__address, __condition());
}

template <typename _Tp>
_GLIBCXX_ALWAYS_INLINE void __atomic_notify_address(const _Tp* __address, bool __all) noexcept {
  if (__all)
    ::heddle_notify(__address);
  else
    ::heddle_notify_one(__address);
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* __address, bool) noexcept {
  ::heddle_notify(__address);
}

}  // namespace std

#endif
