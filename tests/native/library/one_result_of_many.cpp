//! rc20: verified executions=1 blocked=0 text="one_result_of_many.cpp:29: rand gave one fixed sequence of numbers; no other was explored" text="heddle_choose(n)"
//! rc20: verified executions=1 blocked=0 text="one_result_of_many.cpp:33: random_device gave one fixed sequence" flags="-- -DDEVICE"
//! rc20: verified executions=1 blocked=0 text="one_result_of_many.cpp:36: time gave one fixed sequence of times" flags="-- -DTIME"
//! rc20: verified executions=1 blocked=0 text="one_result_of_many.cpp:39: steady_clock::now gave one fixed sequence of times" flags="-- -DNOW"
//! rc20: verified executions=1 blocked=0 text="one_result_of_many.cpp:42: getenv found nothing" flags="-- -DGETENV"
//! rc20: verified executions=1 blocked=0 text="one_result_of_many.cpp:45: getpid gave one fixed number, 1000" flags="-- -DGETPID"
//! rc20: verified executions=1 blocked=0 text="one_result_of_many.cpp:48: hardware_concurrency gave one fixed number, 4" flags="-- -DCONCURRENCY"
//! rc20: verified executions=1 blocked=0 text="one_result_of_many.cpp:52: rand gave one fixed sequence" flags="-- -DPOINTER"
//! rc20: error=assertion-failure line=@error flags="-- -DCHOOSE"
// What is verified for one result of many comes with a warning.
#include <heddle/heddle.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <random>
#include <thread>
#include <vector>

int main() {
#ifdef CHOOSE
  assert(heddle_choose(2) == 0);  // @error
#elif !defined DEVICE && !defined TIME && !defined NOW && !defined GETENV && !defined GETPID && !defined CONCURRENCY && \
    !defined POINTER
  const int first =
      rand();
  assert(first >= 0);
#elif defined DEVICE
  std::random_device device;
  assert(device() != 1);
#endif
#ifdef TIME
  assert(time(nullptr) > 5);
#endif
#ifdef NOW
  assert(std::chrono::steady_clock::now().time_since_epoch().count() > 0);
#endif
#ifdef GETENV
  assert(getenv("HOME") == nullptr);
#endif
#ifdef GETPID
  assert(getpid() % 2 == 0);
#endif
#ifdef CONCURRENCY
  assert(std::thread::hardware_concurrency() == 4);
#endif
#ifdef POINTER
  std::vector<int> numbers(3);
  std::generate(numbers.begin(), numbers.end(), rand);
  assert(numbers[0] != numbers[1]);
#endif
}
