//! rc20: verified executions=44 blocked=54 flags="--leaks"
//! rc20: error=data-race line=@read flags="-- -DBUG"
//! sc: verified executions=44 blocked=54 flags="-- -DBUG"
// Left-Right, after P. Ramalhete and A. Correia, "Left-Right: a concurrency control technique with wait-free population
// oblivious reads" (2015): there are two copies of the data. The writer changes the one that nobody reads, sends the readers
// there, waits until they have left the other one, and changes that. Readers count themselves in and out and never wait. BUG: a
// reader's arrival and its look which copy to read are not seq_cst: the writer misses it.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#ifdef BUG
constexpr auto arrive = std::memory_order_acq_rel, look = std::memory_order_acquire;
#else
constexpr auto arrive = std::memory_order_seq_cst, look = std::memory_order_seq_cst;
#endif

template <class Data>
class LeftRight {
 public:
  template <class Function>
  auto read(Function function) const {
    std::atomic<int>& readers = readers_[version_.load(std::memory_order_acquire)];
    readers.fetch_add(1, arrive);
    const auto result = function(copies_[current_.load(look)]);
    readers.fetch_sub(1, std::memory_order_release);
    return result;
  }

  template <class Function>
  void write(Function function) {
    const std::lock_guard<std::mutex> lock(writers_);
    const std::size_t current = current_.load(std::memory_order_relaxed);
    function(copies_[1 - current]);
    current_.store(1 - current);
    // Readers who have come before may be in either version, and readers who come now are kept apart from them.
    const std::size_t version = version_.load(std::memory_order_relaxed);
    waitFor(readers_[1 - version]);
    version_.store(1 - version);
    waitFor(readers_[version]);
    function(copies_[current]);
  }

 private:
  static void waitFor(const std::atomic<int>& readers) {
    while (readers.load() != 0) std::this_thread::yield();
  }

  std::array<Data, 2> copies_;
  std::atomic<std::size_t> current_{0}, version_{0};
  mutable std::array<std::atomic<int>, 2> readers_{};
  std::mutex writers_;
};

int main() {
  LeftRight<std::vector<int>> numbers;
  auto reader = [&numbers] {
    const int sum = numbers.read([](const std::vector<int>& vector) {
      int total = 0;
      for (const int number : vector) total += number;  // @read
      return total;
    });
    assert(sum == 0 || sum == 3);
  };
  std::thread first(reader), second(reader);
  numbers.write([](std::vector<int>& vector) {
    vector.reserve(2);
    vector.push_back(1);
    vector.push_back(2);
  });
  first.join();
  second.join();
  const std::size_t size = numbers.read([](const std::vector<int>& vector) { return vector.size(); });
  assert(size == 2);
}
