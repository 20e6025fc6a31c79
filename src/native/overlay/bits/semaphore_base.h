// What std::counting_semaphore is made of.
//
// To take the semaphore is a lock that the explorer knows: it waits until the counter is positive, and decrements it.
// To try, a thread reads the counter and decrements it by a compare-exchange. If another thread comes in between, the
// execution is given up: there is one in which the thread read the other's value to begin with. Waiting with a limit
// of time is one look: a thread that sees zero has run out of time, and one that sees more has waited long enough.
#include <bits/c++config.h>

#if _GLIBCXX_RELEASE < 11 || _GLIBCXX_RELEASE > 14
#include_next <bits/semaphore_base.h>
#elif !defined _GLIBCXX_SEMAPHORE_BASE_H
#define _GLIBCXX_SEMAPHORE_BASE_H 1

#include <bits/atomic_base.h>
#include <bits/atomic_timed_wait.h>
#include <bits/heddle_time.h>
#include <limits.h>
#include <semaphore.h>

#include <cerrno>
#include <ext/numeric_traits.h>

extern "C" {
unsigned long heddle_take(void*, unsigned, unsigned long, int) __attribute__((nothrow));
void heddle_semaphore_overflow(void) __attribute__((nothrow));
}

namespace std {

struct __atomic_semaphore {
  static constexpr ptrdiff_t _S_max = __gnu_cxx::__int_traits<int>::__max;

  explicit __atomic_semaphore(__detail::__platform_wait_t __count) noexcept : _M_counter(__count) {}
  __atomic_semaphore(const __atomic_semaphore&) = delete;
  __atomic_semaphore& operator=(const __atomic_semaphore&) = delete;

  void _M_acquire() noexcept {
    ::heddle_take(&_M_counter, 6 /* kDown */, 0, 0);
  }

  bool _M_try_acquire() noexcept {
    const auto __count = __atomic_impl::load(&_M_counter, memory_order::relaxed);
    if (__count <= 0) return false;
    _M_decrement(__count);
    return true;
  }

  template <typename _Clock, typename _Duration>
  bool _M_try_acquire_until(const chrono::time_point<_Clock, _Duration>& __atime) noexcept {
    if (_M_try_acquire()) return true;
    std::__heddle_time_out_until(__atime);
    return false;
  }

  template <typename _Rep, typename _Period>
  bool _M_try_acquire_for(const chrono::duration<_Rep, _Period>& __rtime) noexcept {
    if (_M_try_acquire()) return true;
    std::__heddle_time_out_for(__rtime);
    return false;
  }

  // Of a semaphore with this maximum.
  template <ptrdiff_t __max>
  void _M_release(ptrdiff_t __update) noexcept {
    const auto __old =
        __atomic_impl::fetch_add(&_M_counter, static_cast<__detail::__platform_wait_t>(__update), memory_order::release);
    if constexpr (__max < _S_max) {
      if (__update < 0 || __old > __max - __update) ::heddle_semaphore_overflow();
    }
  }

 private:
  void _M_decrement(__detail::__platform_wait_t __count) noexcept {
    ::heddle_assume_hook(__atomic_impl::compare_exchange_strong(&_M_counter, __count, __count - 1,
                                                                memory_order::acquire, memory_order::relaxed));
  }

  alignas(__detail::__platform_wait_alignment) __detail::__platform_wait_t _M_counter;
};

using __semaphore_impl = __atomic_semaphore;

}  // namespace std

#endif
