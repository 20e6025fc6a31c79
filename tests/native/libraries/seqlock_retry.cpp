//! rc20: verified executions=9 blocked=1435
//! rc20: error=assertion-failure line=@consistent flags="-- -DBUG"
//! sc: verified executions=9 blocked=952 flags="-- -DBUG"
// A sequence lock around a struct, whose fields are atomics; `load` tries until it has a copy of one version. BUG: the writer
// has no fence after it has made the number odd, so a reader sees new fields with the old number.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Quote {
  std::uint64_t number;
  std::uint32_t bid, ask;
};

class SharedQuote {
 public:
  explicit SharedQuote(const Quote& quote) { set(quote); }

  // Of the one writer.
  void store(const Quote& quote) {
    const unsigned before = sequence_.load(std::memory_order_relaxed);
    sequence_.store(before + 1, std::memory_order_relaxed);
#ifndef BUG
    std::atomic_thread_fence(std::memory_order_release);
#endif
    set(quote);
    sequence_.store(before + 2, std::memory_order_release);
  }

  Quote load() const {
    while (true) {
      const unsigned before = sequence_.load(std::memory_order_acquire);
      if (before % 2 == 1) continue;
      const Quote quote = get();
      std::atomic_thread_fence(std::memory_order_acquire);
      if (sequence_.load(std::memory_order_relaxed) == before) return quote;
    }
  }

 private:
  void set(const Quote& quote) {
    number_.store(quote.number, std::memory_order_relaxed);
    bid_.store(quote.bid, std::memory_order_relaxed);
    ask_.store(quote.ask, std::memory_order_relaxed);
  }

  Quote get() const {
    return {number_.load(std::memory_order_relaxed), bid_.load(std::memory_order_relaxed),
            ask_.load(std::memory_order_relaxed)};
  }

  std::atomic<unsigned> sequence_{0};
  std::atomic<std::uint64_t> number_;
  std::atomic<std::uint32_t> bid_, ask_;
};

int main() {
  SharedQuote quote(Quote{0, 100, 101});
  auto reader = [&quote] {
    const Quote copy = quote.load();
    const bool consistent = copy.bid == 100 + copy.number && copy.ask == copy.bid + 1;
    assert(consistent);  // @consistent
  };
  std::thread first(reader), second(reader);
  quote.store(Quote{1, 101, 102});
  quote.store(Quote{2, 102, 103});
  first.join();
  second.join();
  assert(quote.load().number == 2);
}
