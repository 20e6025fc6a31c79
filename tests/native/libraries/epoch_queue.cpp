//! rc20: verified executions=334 blocked=8 flags="--leaks"
//! rc20: error=use-after-free|data-race line=@next flags="-- -DBUG"
//! rc20: error=use-after-free|data-race line=@delete flags="-- -DSTALE"
//! sc: verified executions=326 blocked=8 flags="-- -DSTALE"
// Epoch-based reclamation as a library has it: threads register, pin themselves with a guard while they use a data structure, and
// retire what they have taken out. Nodes are deleted two epochs later. Here a queue of Michael and Scott uses it. BUG: nodes are
// deleted after one epoch, when a thread that is pinned in the epoch before may still use them. STALE: who retires a node may
// read an epoch that has ended before the node was taken out.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

template <class Node, std::size_t Threads>
class EpochReclaimer {
 public:
  class Guard {
   public:
    Guard(EpochReclaimer& domain, std::size_t self) : state_(domain.participants_[self].state) {
      const unsigned epoch = domain.epoch_.load(std::memory_order_relaxed);
      state_.store(epoch << 1 | 1, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { state_.store(0, std::memory_order_release); }

   private:
    std::atomic<unsigned>& state_;
  };

  // The thread must be pinned.
  void retire(std::size_t self, Node* node) {
    // Who is pinned and may have seen the node is so in this epoch or an earlier one.
#ifndef STALE
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    const unsigned epoch = epoch_.load(std::memory_order_relaxed);
    participants_[self].limbo.push_back({std::unique_ptr<Node>(node), epoch});
  }

  // The thread must not be pinned.
  void collect(std::size_t self) {
    tryAdvance();
    const unsigned epoch = epoch_.load(std::memory_order_acquire);
    std::vector<Retired>& limbo = participants_[self].limbo;
    while (!limbo.empty() && epoch - limbo.front().epoch >= distance) limbo.erase(limbo.begin());
  }

 private:
#ifdef BUG
  static constexpr unsigned distance = 1;
#else
  static constexpr unsigned distance = 2;
#endif

  struct Retired {  // @delete
    std::unique_ptr<Node> node;
    unsigned epoch;
  };

  struct Participant {
    std::atomic<unsigned> state{0};  // twice the epoch, plus one, while it is pinned
    std::vector<Retired> limbo;      // of its own thread
  };

  void tryAdvance() {
    unsigned epoch = epoch_.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (const Participant& participant : participants_) {
      const unsigned state = participant.state.load(std::memory_order_acquire);
      if ((state & 1) != 0 && state >> 1 != epoch) return;
    }
    epoch_.compare_exchange_strong(epoch, epoch + 1, std::memory_order_acq_rel, std::memory_order_relaxed);
  }

  std::atomic<unsigned> epoch_{0};
  std::array<Participant, Threads> participants_;
};

template <class T, std::size_t Threads>
class Queue {
 public:
  Queue() : head_(new Node{}), tail_(head_.load(std::memory_order_relaxed)) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() {
    for (Node* node = head_.load(std::memory_order_relaxed); node != nullptr;) {
      Node* const next = node->next.load(std::memory_order_relaxed);
      delete node;
      node = next;
    }
  }

  void push(std::size_t self, T value) {
    const typename Reclaimer::Guard guard(reclaimer_, self);
    Node* const node = new Node{std::move(value)};
    while (true) {
      Node* tail = tail_.load(std::memory_order_acquire);
      Node* next = tail->next.load(std::memory_order_acquire);
      if (next != nullptr) {
        tail_.compare_exchange_strong(tail, next, std::memory_order_release, std::memory_order_relaxed);
      } else if (tail->next.compare_exchange_strong(next, node, std::memory_order_release, std::memory_order_relaxed)) {
        tail_.compare_exchange_strong(tail, node, std::memory_order_release, std::memory_order_relaxed);
        return;
      }
    }
  }

  std::optional<T> pop(std::size_t self) {
    std::optional<T> value = unlink(self);
    reclaimer_.collect(self);
    return value;
  }

 private:
  struct Node {
    T value{};
    std::atomic<Node*> next{nullptr};
  };
  using Reclaimer = EpochReclaimer<Node, Threads>;

  std::optional<T> unlink(std::size_t self) {
    const typename Reclaimer::Guard guard(reclaimer_, self);
    while (true) {
      Node* head = head_.load(std::memory_order_acquire);
      Node* const next = head->next.load(std::memory_order_acquire);  // @next
      if (next == nullptr) return std::nullopt;
      // The tail must not stay behind at a node that is taken out.
      Node* tail = tail_.load(std::memory_order_acquire);
      if (head == tail) tail_.compare_exchange_strong(tail, next, std::memory_order_release, std::memory_order_relaxed);
      if (head_.compare_exchange_strong(head, next, std::memory_order_release, std::memory_order_relaxed)) {
        std::optional<T> value = next->value;
        reclaimer_.retire(self, head);
        return value;
      }
    }
  }

  std::atomic<Node*> head_, tail_;
  Reclaimer reclaimer_;
};

int main() {
  Queue<int, 2> queue;
  queue.push(0, 1);
  queue.push(0, 2);
  std::array<int, 2> sums{};
  std::thread first([&] {
    for (int i = 0; i < 2; ++i) sums[0] += queue.pop(0).value_or(0);
  });
  std::thread second([&] { sums[1] += queue.pop(1).value_or(0); });
  first.join();
  second.join();
  assert(sums[0] + sums[1] == 3);
  assert(!queue.pop(0));
}
