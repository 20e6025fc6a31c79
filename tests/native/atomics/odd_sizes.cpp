//! rc20,rc11,tso,sc: verified executions=6 blocked=0 flags="-- -DSIZE=3"
//! rc20: verified executions=6 blocked=0 flags="-- -DSIZE=6"
//! rc20: verified executions=6 blocked=0 flags="-- -DSIZE=12"
//! rc20: verified executions=6 blocked=0 flags="-- -DSIZE=24"
//! rc20: error=assertion-failure line=@sum flags="-- -DSIZE=12 -DBUG"
//! rc20: verified executions=6 text="ordered like those of a mutex" flags="-- -DSIZE=24 -DRELAXED"
// Atomic objects of sizes that no processor knows: locked, as in libatomic.
//
// Each access is a critical section. The threads come one after the other (2), or both load first: in either order, and
// either is the first to exchange (4).
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

struct Bytes {
  unsigned char byte[SIZE];
};

#ifdef RELAXED
constexpr auto kOrder = std::memory_order_relaxed;
#else
constexpr auto kOrder = std::memory_order_seq_cst;
#endif

std::atomic<Bytes> shared;

static void increment() {
  Bytes old = shared.load(kOrder), next;
#ifdef BUG
  next = old;
  ++next.byte[SIZE - 1];
  shared.store(next, kOrder);
#else
  do {
    next = old;
    ++next.byte[SIZE - 1];
  } while (!shared.compare_exchange_weak(old, next, kOrder));
#endif
}

int main() {
  assert(!shared.is_lock_free());
  Bytes start{};
  start.byte[0] = 9;
  const Bytes before = shared.exchange(start);
  assert(before.byte[0] == 0);
  std::thread other(increment);
  increment();
  other.join();
  assert(shared.load().byte[SIZE - 1] == 2 && shared.load().byte[0] == 9);  // @sum
}
