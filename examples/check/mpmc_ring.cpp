//! rc20: verified executions=4 blocked=10
//! sc: verified executions=4 blocked=10
//! rc20: error=data-race line=@put|@take flags="--suggest -- -DBUG"
//! why: Suggestion: release instead of relaxed for store ring.cells_[0].sequence at mpmc_ring.cpp:41. With this change the program has no error
//
// A bounded queue for many producers and consumers, after D. Vyukov's (2010): every cell carries a sequence number that
// says whose turn it is, and the two positions are claimed by compare-exchange with relaxed order. All synchronisation
// goes through the cell.
//
// BUG: the producer hands the cell over with a relaxed store of the sequence number.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <optional>
#include <thread>

#ifdef BUG
constexpr auto handOver = std::memory_order_relaxed;
#else
constexpr auto handOver = std::memory_order_release;
#endif

template <class T, std::size_t Capacity>
class MpmcRing {
  static_assert((Capacity & (Capacity - 1)) == 0, "the capacity is a power of two");

 public:
  MpmcRing() {
    for (std::size_t i = 0; i < Capacity; ++i) cells_[i].sequence.store(i, std::memory_order_relaxed);
  }

  bool tryPush(const T& value) {
    std::size_t position = pushPosition_.load(std::memory_order_relaxed);
    while (true) {
      Cell& cell = cells_[position % Capacity];
      const std::size_t sequence = cell.sequence.load(std::memory_order_acquire);
      if (sequence == position) {
        if (claim(pushPosition_, position)) {
          cell.value = value;  // @put
          cell.sequence.store(position + 1, handOver);
          return true;
        }
      } else if (sequence < position) {
        return false;  // the cell has not been emptied yet
      } else {
        position = pushPosition_.load(std::memory_order_relaxed);
      }
    }
  }

  std::optional<T> tryPop() {
    std::size_t position = popPosition_.load(std::memory_order_relaxed);
    while (true) {
      Cell& cell = cells_[position % Capacity];
      const std::size_t sequence = cell.sequence.load(std::memory_order_acquire);
      if (sequence == position + 1) {
        if (claim(popPosition_, position)) {
          std::optional<T> value(cell.value);  // @take
          cell.sequence.store(position + Capacity, std::memory_order_release);
          return value;
        }
      } else if (sequence <= position) {
        return std::nullopt;  // nothing there yet
      } else {
        position = popPosition_.load(std::memory_order_relaxed);
      }
    }
  }

 private:
  struct Cell {
    std::atomic<std::size_t> sequence{0};
    T value{};
  };

  static bool claim(std::atomic<std::size_t>& counter, std::size_t& position) {
    return counter.compare_exchange_strong(position, position + 1, std::memory_order_relaxed);
  }

  std::array<Cell, Capacity> cells_;
  alignas(64) std::atomic<std::size_t> pushPosition_{0};
  alignas(64) std::atomic<std::size_t> popPosition_{0};
};

MpmcRing<int, 2> ring;

int main() {
  std::thread first([] { assert(ring.tryPush(1)); });
  std::thread second([] { assert(ring.tryPush(2)); });
  int taken = 0;
  if (const std::optional<int> value = ring.tryPop()) {
    assert(*value == 1 || *value == 2);
    taken += *value;
  }
  first.join();
  second.join();
  while (const std::optional<int> value = ring.tryPop()) taken += *value;
  assert(taken == 3);
}
