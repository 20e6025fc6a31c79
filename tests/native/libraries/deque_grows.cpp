//! rc20: verified executions=27 blocked=0 flags="--leaks"
//! sc: verified executions=27 blocked=0 flags="--leaks"
//! rc20: error=data-race line=@load|@capacity flags="-- -DBUG"
// A work-stealing deque that grows: when the buffer is full its owner copies the tasks into one of twice the size. The old
// one is kept until the end, as thieves may be reading it. BUG: the new buffer is published relaxed. A thief that sees it
// with a bottom from before looks into memory that is not filled yet.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#ifdef BUG
constexpr auto publish = std::memory_order_relaxed;
#else
constexpr auto publish = std::memory_order_release;
#endif

template <class T>
class StealingDeque {
 public:
  explicit StealingDeque(std::size_t capacity) : buffer_(new Buffer(capacity)) {}
  StealingDeque(const StealingDeque&) = delete;
  StealingDeque& operator=(const StealingDeque&) = delete;
  ~StealingDeque() { delete buffer_.load(std::memory_order_relaxed); }

  // Of the owner.
  void push(T item) {
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_relaxed);
    const std::ptrdiff_t top = top_.load(std::memory_order_acquire);
    Buffer* buffer = buffer_.load(std::memory_order_relaxed);
    if (bottom - top == buffer->capacity()) buffer = grow(buffer, top, bottom);
    buffer->put(bottom, item);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
  }

  // Of the owner.
  std::optional<T> take() {
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    const Buffer* const buffer = buffer_.load(std::memory_order_relaxed);
    bottom_.store(bottom, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::ptrdiff_t top = top_.load(std::memory_order_relaxed);
    if (top < bottom) return buffer->get(bottom);
    std::optional<T> item;
    if (top == bottom && claim(top)) item = buffer->get(bottom);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return item;
  }

  std::optional<T> steal() {
    std::ptrdiff_t top = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const std::ptrdiff_t bottom = bottom_.load(std::memory_order_acquire);
    if (top >= bottom) return std::nullopt;
    const T item = buffer_.load(std::memory_order_acquire)->get(top);
    if (!claim(top)) return std::nullopt;
    return item;
  }

 private:
  class Buffer {
   public:
    explicit Buffer(std::size_t capacity) : slots_(capacity) {}

    std::ptrdiff_t capacity() const { return static_cast<std::ptrdiff_t>(slots_.size()); }

    T get(std::ptrdiff_t index) const {
      const std::size_t slot = static_cast<std::size_t>(index) % slots_.size();  // @capacity
      return slots_[slot].load(std::memory_order_relaxed);  // @load
    }

    void put(std::ptrdiff_t index, T item) {
      slots_[static_cast<std::size_t>(index) % slots_.size()].store(item, std::memory_order_relaxed);
    }

   private:
    std::vector<std::atomic<T>> slots_;
  };

  Buffer* grow(Buffer* old, std::ptrdiff_t top, std::ptrdiff_t bottom) {
    auto larger = std::make_unique<Buffer>(2 * static_cast<std::size_t>(old->capacity()));
    for (std::ptrdiff_t i = top; i < bottom; ++i) larger->put(i, old->get(i));
    outgrown_.emplace_back(old);
    buffer_.store(larger.get(), publish);
    return larger.release();
  }

  bool claim(std::ptrdiff_t top) {
    return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
  }

  alignas(64) std::atomic<std::ptrdiff_t> top_{0};
  alignas(64) std::atomic<std::ptrdiff_t> bottom_{0};
  std::atomic<Buffer*> buffer_;
  std::vector<std::unique_ptr<Buffer>> outgrown_;
};

int main() {
  StealingDeque<int> deque(1);
  deque.push(1);
  int stolen = 0;
  std::thread thief([&deque, &stolen] { stolen = deque.steal().value_or(0); });
  deque.push(2);
  deque.push(4);
  int taken = 0;
  for (int i = 0; i < 2; ++i) taken += deque.take().value_or(0);
  thief.join();
  while (const std::optional<int> item = deque.take()) taken += *item;
  assert(stolen + taken == 7);
}
