//! rc20: verified executions=2 flags="-- -DSHAPE=1"
//! rc20: verified executions=2 flags="-- -DSHAPE=2"
//! rc20: verified executions=2 flags="-- -DSHAPE=3"
//! rc20: error=assertion-failure line=@long flags="-- -DSHAPE=2 -DASKED"
// A class that pauses longer and longer, then yields (1), or sleeps (2, 3), as libraries have it; waited for by a lambda that a
// std::thread runs. How long it has paused matters only if somebody asks.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

class BackOff {
 public:
  void pause() {
#if SHAPE == 3
    std::this_thread::sleep_for(std::chrono::microseconds(rounds_));
    rounds_ *= 2;
#else
    if (rounds_ <= 16) {
      for (int i = 0; i < rounds_; ++i) __builtin_ia32_pause();
      rounds_ *= 2;
    } else {
#if SHAPE == 1
      std::this_thread::yield();
#else
      std::this_thread::sleep_for(std::chrono::microseconds(rounds_));
#endif
    }
#endif
  }
  int rounds() const { return rounds_; }

 private:
  int rounds_ = 1;
};

static std::atomic<unsigned> next{0}, served{0};
static int count;

static void work() {
  const unsigned ticket = next.fetch_add(1, std::memory_order_relaxed);
  BackOff backOff;
  while (served.load(std::memory_order_acquire) != ticket) backOff.pause();
#ifdef ASKED
  assert(backOff.rounds() < 8);  // @long
#endif
  ++count;
  served.store(ticket + 1, std::memory_order_release);
}

int main() {
  std::thread first([] { work(); }), second([] { work(); });
  first.join();
  second.join();
  assert(count == 2);
}
