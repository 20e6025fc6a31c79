//! rc20,sc: verified executions=1 blocked=1
//! rc20,sc: verified executions=1 blocked=1 flags="-- -DPAIR"
//! rc20: error=assertion-failure line=@tries flags="-- -DCOUNTS"
// Loops with a weak compare-exchange of a small class, which its functions copy. A failure for no reason leaves everything as it
// was, wherever the copies are.
#include <atomic>
#include <cassert>
#include <cstdint>

class Link {
 public:
  Link() = default;
  bool marked() const { return (bits_ & 1) != 0; }
  Link mark() const {
    Link link = *this;
    link.bits_ |= 1;
    return link;
  }

 private:
  std::uintptr_t bits_ = 0;
};

struct Pair {
  std::uint32_t first, version;
};

static std::atomic<Link> links[2];
static std::atomic<Pair> head;
static std::atomic<std::uint32_t> next[2];

static bool remove(std::atomic<Link>* link) {
  Link old = link->load();
  int tries = 0;
  do {
    if (old.marked()) return false;
    tries++;
  } while (!link->compare_exchange_weak(old, old.mark()));
#ifdef COUNTS
  assert(tries < 3);  // @tries
#endif
  return true;
}

static int acquire() {
  Pair old = head.load(std::memory_order_acquire);
  while (old.first != 2) {
    const Pair rest{next[old.first].load(std::memory_order_relaxed), old.version + 1};
    if (head.compare_exchange_weak(old, rest, std::memory_order_acquire)) return static_cast<int>(old.first);
  }
  return -1;
}

int main() {
#ifdef PAIR
  assert(acquire() == 0);
#else
  assert(remove(&links[1]));
#endif
}
