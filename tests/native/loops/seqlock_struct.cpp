//! rc20: verified executions=2
//! rc20: verified executions=2 flags="-- -DCALLS"
//! rc20: verified executions=4 flags="-- -DCALLS -DREADERS=2"
//! rc20: error=assertion-failure line=@torn flags="-- -DWRONG"
//! rc20: error=assertion-failure line=@torn flags="-- -DWRONG -DCALLS"
//! rc20: error=assertion-failure line=@kept flags="-- -DKEEPS -DCALLS"
// A reader of a sequence lock that copies a structure: a round that is in vain leaves nothing but the copy, which the next
// round makes anew. CALLS: a function that is not to be inlined makes the copy. KEEPS: it leaves out a part of it, depending on what it
// finds, so something of the round before may be left.
#include <atomic>
#include <cassert>
#include <thread>

struct Data {
  int a, b;
};

#ifdef CALLS
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif
#ifndef READERS
#define READERS 1
#endif

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
    Data copy{};
    unsigned before, after;
    do {
      before = sequence_.load(std::memory_order_acquire);
      copyTo(copy);
#ifndef WRONG
      std::atomic_thread_fence(std::memory_order_acquire);
#endif
      after = sequence_.load(std::memory_order_relaxed);
    } while (before != after || before % 2 != 0);
    return copy;
  }

 private:
  NOINLINE void copyTo(Data& copy) const {
    copy.a = a_.load(std::memory_order_relaxed);
#ifdef KEEPS
    if (copy.a == 1) return;
#endif
    copy.b = b_.load(std::memory_order_relaxed);
  }

  std::atomic<unsigned> sequence_{0};
  std::atomic<int> a_{0}, b_{0};
};

static SequenceLock lock;

static void readAll() {
  const Data data = lock.read();
#ifdef KEEPS
  assert(data.a != 1 || data.b != 7);  // @kept
#else
  assert(data.a == data.b);  // @torn
#endif
}

int main() {
#ifdef KEEPS
  std::thread writer([] {
    lock.write({2, 7});
    lock.write({1, 2});
  });
#else
  std::thread writer([] { lock.write({1, 1}); });
#endif
#if READERS == 2
  std::thread reader(readAll);
#endif
  readAll();
#if READERS == 2
  reader.join();
#endif
  writer.join();
  return 0;
}
