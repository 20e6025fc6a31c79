//! rc20: verified executions=24 blocked=0 flags="--leaks"
//! sc: verified executions=24 blocked=0 flags="--leaks"
//! rc20: error=data-race|use-after-free line=@use|@delete flags="-- -DBUG"
//! sc: verified executions=24 blocked=0 flags="-- -DBUG"
// Epochs: a reader says in which epoch it has begun to read. What a writer takes out it may delete when the epoch has moved
// on twice, and the epoch moves on only when all who read have begun in the current one. BUG: there is no fence between the
// reader's announcement and its first read, so that the writer misses it.
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

template <unsigned Readers>
class EpochDomain {
 public:
  // Of the readers: nothing that can be reached while the guard lives is deleted.
  class Guard {
   public:
    Guard(EpochDomain& domain, unsigned self) : slot_(domain.slots_[self]) {
      slot_.store(domain.epoch_.load(std::memory_order_relaxed) << 1 | 1, std::memory_order_relaxed);
#ifndef BUG
      std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { slot_.store(0, std::memory_order_release); }

   private:
    std::atomic<unsigned>& slot_;
  };

  // Of the one writer: deletes what has been retired long enough ago.
  bool tryAdvance() {
    const unsigned epoch = epoch_.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (std::atomic<unsigned>& slot : slots_) {
      const unsigned seen = slot.load(std::memory_order_acquire);
      if ((seen & 1) != 0 && seen >> 1 != epoch) return false;
    }
    epoch_.store(epoch + 1, std::memory_order_release);
    limbo_[(epoch + 1) % limbo_.size()].clear();  // of two epochs ago
    return true;
  }

  void retire(std::shared_ptr<const void> object) {
    limbo_[epoch_.load(std::memory_order_relaxed) % limbo_.size()].push_back(std::move(object));
  }

 private:
  std::atomic<unsigned> epoch_{0};
  std::array<std::atomic<unsigned>, Readers> slots_{};
  std::array<std::vector<std::shared_ptr<const void>>, 3> limbo_;
};

struct Route {
  int from, to;

  ~Route() {
    from = to = -1;  // @delete
  }
};

int main() {
  EpochDomain<1> domain;
  std::atomic<const Route*> current{new Route{1, 2}};
  std::thread reader([&] {
    EpochDomain<1>::Guard guard(domain, 0);
    const Route* const route = current.load(std::memory_order_acquire);
    assert(route->to == route->from + 1);  // @use
  });
  std::thread writer([&] {
    const Route* const old = current.exchange(new Route{5, 6}, std::memory_order_acq_rel);
    domain.retire(std::shared_ptr<const Route>(old));
    for (int i = 0; i < 3; ++i) domain.tryAdvance();
  });
  reader.join();
  writer.join();
  const Route* const last = current.load(std::memory_order_relaxed);
  assert(last->from == 5 && last->to == 6);
  delete last;
}
