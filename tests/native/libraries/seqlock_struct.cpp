//! rc20: verified executions=9 blocked=1147
//! rc20: error=assertion-failure line=@consistent flags="-- -DBUG"
// A sequence lock around any struct that can be copied byte by byte: it is stored as words, and `load` tries until it has a
// copy of one version. BUG: the writer has no fence after it has made the number odd, so a reader sees new words with the old
// number.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <type_traits>

template <class T>
class SeqLock {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit SeqLock(const T& value) { copyIn(value); }

  // Of the one writer.
  void store(const T& value) {
    const unsigned before = sequence_.load(std::memory_order_relaxed);
    sequence_.store(before + 1, std::memory_order_relaxed);
#ifndef BUG
    std::atomic_thread_fence(std::memory_order_release);
#endif
    copyIn(value);
    sequence_.store(before + 2, std::memory_order_release);
  }

  T load() const {
    while (true) {
      const unsigned before = sequence_.load(std::memory_order_acquire);
      const T value = copyOut();
      std::atomic_thread_fence(std::memory_order_acquire);
      const unsigned after = sequence_.load(std::memory_order_relaxed);
      if (before == after && before % 2 == 0) return value;
    }
  }

 private:
  static constexpr std::size_t wordCount = (sizeof(T) + 7) / 8;

  void copyIn(const T& value) {
    std::array<std::uint64_t, wordCount> words{};
    std::memcpy(words.data(), &value, sizeof(T));
    for (std::size_t i = 0; i < wordCount; ++i) words_[i].store(words[i], std::memory_order_relaxed);
  }

  T copyOut() const {
    std::array<std::uint64_t, wordCount> words;
    for (std::size_t i = 0; i < wordCount; ++i) words[i] = words_[i].load(std::memory_order_relaxed);
    T value;
    std::memcpy(&value, words.data(), sizeof(T));
    return value;
  }

  std::atomic<unsigned> sequence_{0};
  std::array<std::atomic<std::uint64_t>, wordCount> words_{};
};

struct Quote {
  std::uint64_t number;
  std::uint32_t bid, ask;
};

int main() {
  SeqLock<Quote> quote(Quote{0, 100, 101});
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
