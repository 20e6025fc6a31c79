//! rc20: verified executions=47 blocked=19 flags="--leaks"
//! rc20: error=data-race line=@key flags="-- -DBUG"
// A hash map whose buckets are lists: writers lock the bucket, readers do not. A value is replaced by replacing its node. What
// was taken out is kept until the end. BUG: a new node is linked in relaxed.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#ifdef BUG
constexpr auto linkOrder = std::memory_order_relaxed;
#else
constexpr auto linkOrder = std::memory_order_release;
#endif

class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) {
      while (taken_.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }

  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

template <class Key, class Value, class Hash = std::hash<Key>>
class ConcurrentMap {
 public:
  explicit ConcurrentMap(std::size_t bucketCount) : buckets_(bucketCount) {}
  ConcurrentMap(const ConcurrentMap&) = delete;
  ConcurrentMap& operator=(const ConcurrentMap&) = delete;
  ~ConcurrentMap() {
    for (Bucket& bucket : buckets_) {
      for (Node* node = bucket.first.load(std::memory_order_relaxed); node != nullptr;) {
        Node* const next = node->next.load(std::memory_order_relaxed);
        delete node;
        node = next;
      }
    }
  }

  std::optional<Value> find(const Key& key) const {
    const Node* node = bucketOf(key).first.load(std::memory_order_acquire);
    while (node != nullptr) {
      if (node->key == key) return node->value;  // @key
      node = node->next.load(std::memory_order_acquire);
    }
    return std::nullopt;
  }

  // Whether the key is new.
  bool insertOrAssign(const Key& key, Value value) {
    Bucket& bucket = bucketOf(key);
    const std::lock_guard<SpinLock> lock(bucket.lock);
    std::atomic<Node*>& place = placeOf(bucket, key);
    Node* const old = place.load(std::memory_order_relaxed);
    Node* const next = old == nullptr ? nullptr : old->next.load(std::memory_order_relaxed);
    place.store(new Node{key, std::move(value), {next}}, linkOrder);
    if (old != nullptr) bucket.removed.emplace_back(old);
    return old == nullptr;
  }

  bool erase(const Key& key) {
    Bucket& bucket = bucketOf(key);
    const std::lock_guard<SpinLock> lock(bucket.lock);
    std::atomic<Node*>& place = placeOf(bucket, key);
    Node* const node = place.load(std::memory_order_relaxed);
    if (node == nullptr) return false;
    place.store(node->next.load(std::memory_order_relaxed), std::memory_order_release);
    bucket.removed.emplace_back(node);
    return true;
  }

 private:
  struct Node {
    const Key key;
    const Value value;
    std::atomic<Node*> next;
  };

  struct Bucket {
    SpinLock lock;
    std::atomic<Node*> first{nullptr};
    std::vector<std::unique_ptr<Node>> removed;  // readers may still be there
  };

  // The link that leads to the key's node, or the last one.
  static std::atomic<Node*>& placeOf(Bucket& bucket, const Key& key) {
    std::atomic<Node*>* place = &bucket.first;
    while (Node* const node = place->load(std::memory_order_relaxed)) {
      if (node->key == key) break;
      place = &node->next;
    }
    return *place;
  }

  const Bucket& bucketOf(const Key& key) const { return buckets_[Hash()(key) % buckets_.size()]; }
  Bucket& bucketOf(const Key& key) { return buckets_[Hash()(key) % buckets_.size()]; }

  std::vector<Bucket> buckets_;
};

int main() {
  ConcurrentMap<int, std::string> map(2);
  map.insertOrAssign(2, "two");
  std::thread first([&map] {
    const bool isNew = map.insertOrAssign(4, "four");
    assert(isNew);
    assert(map.find(4) == "four");
  });
  std::thread second([&map] {
    const bool isNew = map.insertOrAssign(2, "TWO");
    assert(!isNew);
    const bool erased = map.erase(2);
    assert(erased);
  });
  std::thread third([&map] {
    const std::optional<std::string> two = map.find(2);
    assert(!two || two == "two" || two == "TWO");
    const std::optional<std::string> four = map.find(4);
    assert(!four || four == "four");
  });
  first.join();
  second.join();
  third.join();
  assert(!map.find(2) && map.find(4) == "four");
}
