//! rc20: verified executions=186 flags="--no-spurious"
//! rc20: verified executions=3688
//! rc20: verified executions=3688 flags="-j 2"
//! rc20: error=data-race line=@error flags="-- -DBUG"
//! rc20: error=assertion-failure line=@kept flags="--no-spurious -- -DUNTAGGED"
// A list of free blocks, by number: the links are in an array, and the head has a tag that changes with each exchange. Whoever takes a
// block looks at a link that another thread may be writing; the exchange fails then.
//
// BUG: a block is given back without release. UNTAGGED: without the tag, a block that was taken and given back is taken for one that
// was there all the time.
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned kNumber = 0xff, kTag = 0x100;

static std::atomic<unsigned> head;  // 0: none
static std::atomic<unsigned> next[4];
static int content[4];

#ifdef BUG
constexpr auto kGive = std::memory_order_relaxed;
#else
constexpr auto kGive = std::memory_order_release;
#endif

static unsigned tagged(unsigned old, unsigned number) {
#ifdef UNTAGGED
  return number;
#else
  return ((old & ~kNumber) + kTag) | number;
#endif
}

static void give(unsigned number) {
  content[number] = 0;
  unsigned old = head.load(std::memory_order_relaxed);
  do {
    next[number].store(old & kNumber, std::memory_order_relaxed);
  } while (!head.compare_exchange_weak(old, tagged(old, number), kGive, std::memory_order_relaxed));
}

static unsigned take() {
  unsigned old = head.load(std::memory_order_acquire);
  for (;;) {
    const unsigned number = old & kNumber;
    if (number == 0) return 0;
    const unsigned rest = next[number].load(std::memory_order_relaxed);
    if (head.compare_exchange_weak(old, tagged(old, rest), std::memory_order_acquire, std::memory_order_acquire)) {
      content[number]++;  // @error
      return number;
    }
  }
}

static unsigned kept;  // by a thread, for good

int main() {
  give(1);
#ifdef UNTAGGED
  give(3);
#endif
  std::thread giver([] { give(2); });
  std::thread both([] {
    const unsigned number = take();
#ifdef UNTAGGED
    kept = take();
#endif
    if (number != 0) give(number);
  });
  const unsigned mine = take();
  giver.join();
  both.join();
  unsigned count = mine != 0;
  while (const unsigned number = take()) {
    assert(number != kept);  // @kept
    ++count;
  }
  assert(kept != 0 || count >= 2);
}
