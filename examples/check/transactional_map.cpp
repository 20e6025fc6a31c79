//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
//! rc20: error=assertion-failure line=@once flags="-- -DBUG"
//
// A map with open addressing, the operations of which are transactions: what they probe and what they write is one step,
// so two insertions conflict only if one writes a slot that the other has looked at.
//
// BUG: `insert` looks for the key in one transaction and adds it in another one. In between another thread adds the same
// key, which is there twice then.
#include <heddle/heddle.h>

#include <cassert>
#include <thread>

class Map {
 public:
  // False if the key was there.
  bool insert(int key, int value) {
#ifdef BUG
    if (heddle::transaction([&] { return slotOf(key)->key == key; })) return false;
#endif
    return heddle::transaction([&] {
      Slot* slot = slotOf(key);
#ifdef BUG
      if (slot->key == key) ++slot;  // it cannot be there
#else
      if (slot->key == key) return false;
#endif
      *slot = {key, value};
      return true;
    });
  }

  int count(int key) {
    return heddle::transaction([&] {
      int found = 0;
      for (const Slot& slot : slots_) found += slot.key == key ? 1 : 0;
      return found;
    });
  }

 private:
  struct Slot {
    int key = 0, value = 0;
  };
  static constexpr int kSlots = 8;

  // The one with the key, or the one for it.
  Slot* slotOf(int key) {
    int i = key % kSlots;
    while (slots_[i].key != 0 && slots_[i].key != key) i = (i + 1) % kSlots;
    return &slots_[i];
  }

  Slot slots_[kSlots];
};

Map map;

int main() {
  std::thread one([] { map.insert(1, 10); });
  std::thread same([] { map.insert(1, 20); });
  std::thread elsewhere([] { map.insert(5, 50); });
  one.join();
  same.join();
  elsewhere.join();
  assert(map.count(1) == 1);  // @once
}
