//! rc20: verified executions=2 blocked=0
// Whatever has timed out has taken its time.
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <future>
#include <linux/futex.h>
#include <mutex>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <sys/syscall.h>
#include <thread>
#include <threads.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;
using System = std::chrono::system_clock;
using namespace std::chrono_literals;

template <class Duration, class Function>
void takes(Duration time, Function function) {
  const auto start = Clock::now();
  function();
  assert(Clock::now() - start >= time);
}

timespec inASecond() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  ++time.tv_sec;
  return time;
}

int main() {
  takes(10ms, [] { std::this_thread::sleep_for(10ms); });
  takes(1s, [] { std::this_thread::sleep_until(System::now() + 1s); });
  takes(5ms, [] { usleep(5000); });
  takes(3s, [] { sleep(3); });
  const timespec millisecond{0, 1000000};
  takes(1ms, [&] { assert(nanosleep(&millisecond, nullptr) == 0); });
  takes(1ms, [&] { assert(thrd_sleep(&millisecond, nullptr) == 0); });
  takes(1s, [] {
    const timespec time = inASecond();
    assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nullptr) == 0);
  });
  const timespec none{0, 1000000000};
  assert(nanosleep(&none, nullptr) == -1 && errno == EINVAL);

  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  takes(7ms, [&] { assert(future.wait_for(7ms) == std::future_status::timeout); });
  takes(7ms, [&] { assert(future.wait_until(Clock::now() + 7ms) == std::future_status::timeout); });
  std::binary_semaphore semaphore(0);
  takes(7ms, [&] { assert(!semaphore.try_acquire_for(7ms)); });
  takes(7ms, [&] { assert(!semaphore.try_acquire_until(System::now() + 7ms)); });
  sem_t posix;
  sem_init(&posix, 0, 0);
  takes(1s, [&] {
    const timespec time = inASecond();
    assert(sem_timedwait(&posix, &time) == -1 && errno == ETIMEDOUT);
  });
  assert(sem_timedwait(&posix, &none) == -1 && errno == EINVAL);

  std::timed_mutex mutex;
  std::shared_timed_mutex shared;
  mutex.lock();
  shared.lock();
  std::thread([&] {
    takes(7ms, [&] { assert(!mutex.try_lock_for(7ms)); });
    takes(7ms, [&] { assert(!shared.try_lock_shared_for(7ms)); });
    takes(7ms, [&] { assert(!shared.try_lock_until(Clock::now() + 7ms)); });
  }).join();
  mutex.unlock();
  shared.unlock();

  std::mutex plain;
  std::condition_variable condition;
  takes(9ms, [&] {
    std::unique_lock<std::mutex> lock(plain);
    assert(!condition.wait_for(lock, 9ms, [] { return false; }));
  });
  int word = 0;
  takes(1s, [&] {
    const timespec second{1, 0};
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &second) == -1 && errno == ETIMEDOUT);
  });
}
