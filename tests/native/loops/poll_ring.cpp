//! rc20: verified executions=1 blocked=2
//! rc20: verified executions=1 blocked=0 flags="-- -DSTRONG"
//! rc20: verified executions=2 flags="-- -DCONSUMERS=2"
//! rc20: error=data-race line=@write|@read flags="-- -DRELAXED"
// A ring for several threads, as D. Vyukov has designed it. A thread that polls it by tryPop waits, although tryPop has a loop of
// its own, which it leaves with one bool or the other.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef CONSUMERS
#define CONSUMERS 1
#endif

namespace {

class Ring {
 public:
  Ring() {
    for (std::size_t i = 0; i < 2; ++i) cells_[i].turn.store(i, std::memory_order_relaxed);
  }

  bool tryPush(int value) {
    std::size_t place = back_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[place & 1];
      const std::size_t turn = cell.turn.load(std::memory_order_acquire);
      const long ahead = static_cast<long>(turn) - static_cast<long>(place);
      if (ahead == 0) {
        if (exchange(back_, place)) {
          cell.value = value;  // @write
#ifdef RELAXED
          cell.turn.store(place + 1, std::memory_order_relaxed);
#else
          cell.turn.store(place + 1, std::memory_order_release);
#endif
          return true;
        }
      } else if (ahead < 0) {
        return false;
      } else {
        place = back_.load(std::memory_order_relaxed);
      }
    }
  }

  bool tryPop(int& value) {
    std::size_t place = front_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[place & 1];
      const std::size_t turn = cell.turn.load(std::memory_order_acquire);
      const long ahead = static_cast<long>(turn) - static_cast<long>(place + 1);
      if (ahead == 0) {
        if (exchange(front_, place)) {
          value = cell.value;  // @read
          cell.turn.store(place + 2, std::memory_order_release);
          return true;
        }
      } else if (ahead < 0) {
        return false;
      } else {
        place = front_.load(std::memory_order_relaxed);
      }
    }
  }

 private:
  struct Cell {
    std::atomic<std::size_t> turn;
    int value;
  };

  static bool exchange(std::atomic<std::size_t>& end, std::size_t& place) {
#ifdef STRONG
    return end.compare_exchange_strong(place, place + 1, std::memory_order_relaxed);
#else
    return end.compare_exchange_weak(place, place + 1, std::memory_order_relaxed);
#endif
  }

  Cell cells_[2];
  std::atomic<std::size_t> front_{0}, back_{0};
};

Ring ring;

int pop() {
  int value = 0;
  while (!ring.tryPop(value)) {
  }
  return value;
}

}  // namespace

int main() {
  std::thread producer([] {
    for (int i = 0; i < CONSUMERS; ++i) ring.tryPush(i + 1);
  });
#if CONSUMERS == 2
  int other = 0;
  std::thread consumer([&] { other = pop(); });
  const int mine = pop();
  consumer.join();
  assert(mine + other == 3 && mine != other);
#else
  assert(pop() == 1);
#endif
  producer.join();
  return 0;
}
