// What a wait with a limit of time tells the clock when it has been in vain (library/time.cpp).
#ifndef _HEDDLE_TIME_H
#define _HEDDLE_TIME_H 1

#include <bits/c++config.h>
#if _GLIBCXX_RELEASE >= 11
#include <bits/chrono.h>
#else
#include <chrono>
#endif

extern "C" {
void heddle_time_has_passed(long) __attribute__((nothrow));
void heddle_time_has_come(long) __attribute__((nothrow));
}

namespace std {

// A century will do for those who wait for longer.
template <typename _Rep, typename _Period>
void __heddle_time_out_for(const chrono::duration<_Rep, _Period>& __duration) {
  constexpr chrono::hours __century(876600);
  const bool __long = __duration > __century;
  ::heddle_time_has_passed(
      chrono::duration_cast<chrono::nanoseconds>(__long ? chrono::duration<_Rep, _Period>::zero() : __duration).count() +
      (__long ? chrono::nanoseconds(__century).count() : 0));
}

// A clock of the program's own has to be looked at.
template <typename _Clock, typename _Duration>
void __heddle_time_out_until(const chrono::time_point<_Clock, _Duration>& __time) {
  __heddle_time_out_for(__time - _Clock::now());
}

template <typename _Duration>
void __heddle_time_out_until(const chrono::time_point<chrono::steady_clock, _Duration>& __time) {
  ::heddle_time_has_come(chrono::duration_cast<chrono::nanoseconds>(__time.time_since_epoch()).count());
}

template <typename _Duration>
void __heddle_time_out_until(const chrono::time_point<chrono::system_clock, _Duration>& __time) {
  ::heddle_time_has_come(chrono::duration_cast<chrono::nanoseconds>(__time.time_since_epoch()).count());
}

}  // namespace std

#endif
