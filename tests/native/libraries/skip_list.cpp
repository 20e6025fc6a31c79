//! rc20,sc: verified executions=28 blocked=36 flags="--leaks"
//! rc20: verified executions=28 blocked=36 flags="--leaks --races off"
//! rc20: error=use-after-free line=@follow flags="-- -DBUG"
//! rc20: verified executions=28 blocked=2 flags="--no-spurious -- -DBUG"
// A lock-free skip list of two levels, after K. Fraser, "Practical lock-freedom" (2004): a node is removed by marking its
// links, from the top down, and whoever comes by then takes it out of the lists. BUG: the link of the upper level is marked
// by one weak compare-exchange, whose failure is taken to mean that somebody else has marked it. If it fails for no reason the
// node stays in the upper list, and is reached after it was deleted.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

class SkipList {
 public:
  static constexpr std::size_t levels = 2;

  SkipList() = default;
  SkipList(const SkipList&) = delete;
  SkipList& operator=(const SkipList&) = delete;
  ~SkipList() {
    for (Node* node = head_.next[0].load().node(); node != nullptr;) {
      Node* const next = node->next[0].load().node();
      delete node;
      node = next;
    }
    reclaim();
  }

  bool insert(int key, std::size_t height) {
    Position position;
    Node* const node = new Node{key, height};
    do {
      if (find(key, position)) {
        delete node;
        return false;
      }
      for (std::size_t level = 0; level < height; ++level) node->next[level].store(Link(position.after[level]));
    } while (!replace(position.before[0]->next[0], Link(position.after[0]), Link(node)));
    for (std::size_t level = 1; level < height; ++level) {
      while (!replace(position.before[level]->next[level], Link(position.after[level]), Link(node))) {
        find(key, position);
        const Link link = node->next[level].load();
        if (link.marked()) return true;  // it is being removed already
        if (!replace(node->next[level], link, Link(position.after[level]))) return true;
      }
    }
    return true;
  }

  bool remove(int key) {
    Position position;
    if (!find(key, position)) return false;
    Node* const node = position.after[0];
    for (std::size_t level = node->height - 1; level > 0; --level) {
      Link link = node->next[level].load();
#ifdef BUG
      if (!link.marked()) node->next[level].compare_exchange_weak(link, link.mark());
#else
      while (!link.marked() && !node->next[level].compare_exchange_weak(link, link.mark())) {
      }
#endif
    }
    Link link = node->next[0].load();
    do {
      if (link.marked()) return false;  // another one was faster
    } while (!node->next[0].compare_exchange_weak(link, link.mark()));
    find(key, position);  // takes it out
    retire(node);
    return true;
  }

  bool contains(int key) const {
    const Node* before = &head_;
    const Node* node = nullptr;
    for (std::size_t level = levels; level-- > 0;) {
      node = before->next[level].load().node();
      while (node != nullptr) {
        const Link link = node->next[level].load();  // @follow
        if (!link.marked()) {
          if (node->key >= key) break;
          before = node;
        }
        node = link.node();
      }
    }
    return node != nullptr && node->key == key;
  }

  // Deletes what has been removed. Nobody else may be using the list.
  void reclaim() {
    for (Node* node = retired_.load(); node != nullptr;) {
      Node* const next = node->nextRetired;
      delete node;
      node = next;
    }
    retired_.store(nullptr);
  }

 private:
  struct Node;

  // A pointer to the next node, and whether the node that it belongs to is being removed.
  class Link {
   public:
    Link() = default;
    explicit Link(Node* node) : bits_(reinterpret_cast<std::uintptr_t>(node)) {}

    Node* node() const { return reinterpret_cast<Node*>(bits_ & ~std::uintptr_t{1}); }
    bool marked() const { return (bits_ & 1) != 0; }
    Link mark() const {
      Link link = *this;
      link.bits_ |= 1;
      return link;
    }

   private:
    std::uintptr_t bits_ = 0;
  };

  struct Node {
    int key = 0;
    std::size_t height = levels;
    std::array<std::atomic<Link>, levels> next{};
    Node* nextRetired = nullptr;
  };

  // On each level, the last node with a smaller key and the one after it.
  struct Position {
    std::array<Node*, levels> before, after;
  };

  static bool replace(std::atomic<Link>& link, Link expected, Link desired) {
    return link.compare_exchange_strong(expected, desired);
  }

  bool find(int key, Position& position) {
    while (!tryFind(key, position)) {
    }
    Node* const node = position.after[0];
    return node != nullptr && node->key == key;
  }

  // Fails if another thread has changed what this one was looking at.
  bool tryFind(int key, Position& position) {
    Node* before = &head_;
    for (std::size_t level = levels; level-- > 0;) {
      Node* node = before->next[level].load().node();
      while (node != nullptr) {
        const Link link = node->next[level].load();
        if (link.marked()) {
          if (!replace(before->next[level], Link(node), Link(link.node()))) return false;
        } else {
          if (node->key >= key) break;
          before = node;
        }
        node = link.node();
      }
      position.before[level] = before;
      position.after[level] = node;
    }
    return true;
  }

  void retire(Node* node) {
    node->nextRetired = retired_.load();
    while (!retired_.compare_exchange_weak(node->nextRetired, node)) {
    }
  }

  Node head_;
  std::atomic<Node*> retired_{nullptr};
};

int main() {
  SkipList list;
  list.insert(10, 1);
  list.insert(20, 2);
  std::thread remover([&list] {
    const bool removed = list.remove(20);
    assert(removed);
  });
  std::thread inserter([&list] {
    const bool inserted = list.insert(15, 1);
    assert(inserted);
  });
  remover.join();
  inserter.join();
  list.reclaim();
  assert(list.contains(10) && list.contains(15) && !list.contains(20));
}
