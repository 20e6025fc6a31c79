//! rc20,sc: verified executions=4 blocked=0
//! rc20: error=data-race line=@error flags="-- -DEARLY"
// Atomics of several types, one after the other in the same memory; EARLY makes a new one while a thread still uses the old one.
#include <atomic>
#include <cassert>
#include <memory>
#include <new>
#include <thread>

struct Slot {
  std::atomic<int> turn{0};
  int value = 0;  // @error
};

alignas(Slot) static char room[64];

int main() {
  Slot* slot = new (room) Slot;
  std::thread first([=] {
    slot->value = 1;
    slot->turn.store(1, std::memory_order_release);
  });
  if (slot->turn.load(std::memory_order_acquire) == 1) assert(slot->value == 1);
#ifdef EARLY
  new (room) Slot;
#endif
  first.join();
  std::destroy_at(slot);
  slot = new (room) Slot;
  assert(slot->turn.load() == 0 && slot->value == 0);
  slot->~Slot();
  assert(*new (room) int(5) == 5);
  assert(*new (room) std::atomic<double>(1.5) == 1.5 && *new (room) std::atomic<bool>(true));
  auto* const letters = new (room) std::atomic<char>[3] {};
  letters[1] = 'b';
  assert(letters[0] == 0 && letters[1] == 'b');
  auto* const number = new (room) std::atomic<long>(-1);
  std::thread second([=] { number->fetch_sub(1); });
  number->fetch_sub(1);
  second.join();
  assert(*number == -3);
}
