//! rc20: verified executions=490 blocked=0 flags="--leaks -- -std=c++17"
//! sc: verified executions=390 blocked=0 flags="--leaks -- -std=c++17"
//! rc20: error=uninitialised-atomic line=@full flags="-- -std=c++17 -DBUG"
// A set of keys in a table with linear probing: a key is inserted by a compare-exchange of a free slot and never moves. A
// count keeps the table from being filled up. BUG: nobody has initialised the count, which is a random number if the set is
// on the heap. (Since C++20 the default constructor of an atomic does it.)
#include <atomic>
#include <cassert>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>

template <class Key>
class HashSet {
 public:
  explicit HashSet(std::size_t slotCount) : slotCount_(slotCount), slots_(new std::atomic<Key>[slotCount]()) {}

  enum class Result { Inserted, Present, Full };

  Result insert(Key key) {
    for (std::size_t i = std::hash<Key>()(key) % slotCount_;; i = (i + 1) % slotCount_) {
      Key found = slots_[i].load(std::memory_order_acquire);
      if (found == key) return Result::Present;
      if (found != Key{}) continue;
      if (count_.load(std::memory_order_relaxed) + 1 >= slotCount_) return Result::Full;  // @full
      if (slots_[i].compare_exchange_strong(found, key, std::memory_order_acq_rel, std::memory_order_acquire)) {
        count_.fetch_add(1, std::memory_order_relaxed);
        return Result::Inserted;
      }
      if (found == key) return Result::Present;
    }
  }

  bool contains(Key key) const {
    for (std::size_t i = std::hash<Key>()(key) % slotCount_;; i = (i + 1) % slotCount_) {
      const Key found = slots_[i].load(std::memory_order_acquire);
      if (found == key) return true;
      if (found == Key{}) return false;
    }
  }

  std::size_t size() const { return count_.load(std::memory_order_relaxed); }

 private:
  const std::size_t slotCount_;
  const std::unique_ptr<std::atomic<Key>[]> slots_;
#ifdef BUG
  std::atomic<std::size_t> count_;
#else
  std::atomic<std::size_t> count_{0};
#endif
};

int main() {
  using Set = HashSet<unsigned>;
  const auto set = std::make_unique<Set>(8);
  bool inserted[2];
  auto insertTwo = [&set, &inserted](int self, unsigned own, unsigned common) {
    const Set::Result first = set->insert(own);
    assert(first == Set::Result::Inserted);
    const Set::Result second = set->insert(common);
    assert(second != Set::Result::Full);
    inserted[self] = second == Set::Result::Inserted;
  };
  // All three want the same slot.
  std::thread one(insertTwo, 0, 1u, 17u), other(insertTwo, 1, 9u, 17u);
  one.join();
  other.join();
  assert(inserted[0] != inserted[1]);
  assert(set->size() == 3);
  assert(set->contains(1) && set->contains(9) && set->contains(17) && !set->contains(2));
}
