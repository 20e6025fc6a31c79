//! rc20: verified executions=2
//! rc20: error=assertion-failure line=@torn flags="-- -DWRONG"
// A reader of a sequence lock that copies a structure: a round that is in vain leaves nothing but the copy, which the next
// round makes anew.
#include <atomic>
#include <cassert>
#include <thread>

struct Data {
  int a, b;
};

class SequenceLock {
 public:
  void write(const Data& data) {
    const unsigned now = sequence_.load(std::memory_order_relaxed);
    sequence_.store(now + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    a_.store(data.a, std::memory_order_relaxed);
    b_.store(data.b, std::memory_order_relaxed);
    sequence_.store(now + 2, std::memory_order_release);
  }

  Data read() const {
    Data copy;
    unsigned before, after;
    do {
      before = sequence_.load(std::memory_order_acquire);
      copy.a = a_.load(std::memory_order_relaxed);
      copy.b = b_.load(std::memory_order_relaxed);
#ifndef WRONG
      std::atomic_thread_fence(std::memory_order_acquire);
#endif
      after = sequence_.load(std::memory_order_relaxed);
    } while (before != after || before % 2 != 0);
    return copy;
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> a_{0}, b_{0};
};

static SequenceLock lock;

int main() {
  std::thread writer([] { lock.write({1, 1}); });
  const Data data = lock.read();
  assert(data.a == data.b);  // @torn
  writer.join();
  return 0;
}
