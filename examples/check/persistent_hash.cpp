//! tso: verified flags="--persistency px86"
//! tso: error=recovery line=@value flags="--persistency px86 -- -DBUG"
//
// Two threads insert into a hash table in persistent memory, with linear probing. A slot is taken by a compare-exchange in volatile memory,
// as after a crash nobody is about to insert. Then the value is written, flushed and waited for, and only then the key, which makes
// the slot count. A key that is found after a crash has its value, and none is there twice.
//
// BUG: the flush of the value is not waited for, so the key may persist first.
#include <heddle/heddle.h>
#include <immintrin.h>

#include <atomic>
#include <thread>

struct Slot {
  alignas(64) std::atomic<int> key;
  alignas(64) std::atomic<int> value;
};

constexpr unsigned slots = 2;
HEDDLE_PERSISTENT Slot table[slots];
static std::atomic<bool> taken[slots];

static void flush(const void* address) { _mm_clwb(const_cast<void*>(address)); }

static void insert(int key, int value) {
  for (unsigned i = static_cast<unsigned>(key);; ++i) {
    const unsigned at = i % slots;
    bool expected = false;
    if (!taken[at].compare_exchange_strong(expected, true)) continue;
    table[at].value.store(value, std::memory_order_relaxed);
    flush(&table[at].value);
#ifndef BUG
    _mm_sfence();
#endif
    table[at].key.store(key, std::memory_order_relaxed);
    flush(&table[at].key);
    _mm_sfence();
    return;
  }
}

extern "C" void heddle_recovery() {
  int keys[slots];
  for (unsigned i = 0; i < slots; ++i) {
    keys[i] = table[i].key.load(std::memory_order_relaxed);
    if (keys[i] == 0) continue;
    heddle_assert(table[i].value.load(std::memory_order_relaxed) == 10 * keys[i]);  // @value
  }
  heddle_assert(keys[0] == 0 || keys[0] != keys[1]);
}

int main() {
  std::thread other(insert, 1, 10);
  insert(3, 30);
  other.join();
}
