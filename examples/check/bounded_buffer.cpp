//! rc20: verified executions=1456 blocked=0
//! sc: verified executions=1456 blocked=0
//! rc20: error=assertion-failure line=@element flags="-- -DBUG"
//! why: An interleaving of the threads, the one above, leads there: it is no matter of memory orders.
//
// A bounded buffer with a mutex and two condition variables, the textbook monitor: C. A. R. Hoare, "Monitors: an
// operating system structuring concept" (CACM 1974), with the semantics of B. W. Lampson and D. D. Redell, "Experience
// with processes and monitors in Mesa" (CACM 1980): whoever wakes up looks again.
//
// BUG: the consumer does not look again (`if` in place of `while`). A wake-up may be spurious, and another consumer may
// have come first.
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>

class BoundedBuffer {
 public:
  explicit BoundedBuffer(std::size_t capacity) : capacity_(capacity) {}

  void put(int value) {
    std::unique_lock lock(mutex_);
    while (elements_.size() == capacity_) notFull_.wait(lock);
    elements_.push_back(value);
    notEmpty_.notify_one();
  }

  int take() {
    std::unique_lock lock(mutex_);
#ifdef BUG
    if (elements_.empty()) notEmpty_.wait(lock);
#else
    while (elements_.empty()) notEmpty_.wait(lock);
#endif
    assert(!elements_.empty());  // @element
    const int value = elements_.front();
    elements_.pop_front();
    notFull_.notify_one();
    return value;
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable notFull_, notEmpty_;
  std::deque<int> elements_;
};

int main() {
  BoundedBuffer buffer(1);
  std::thread producer([&] {
    buffer.put(1);
    buffer.put(2);
  });
  int sum = 0;
  std::thread consumer([&] { sum += buffer.take(); });
  const int mine = buffer.take();
  producer.join();
  consumer.join();
  assert(sum + mine == 3);
}
