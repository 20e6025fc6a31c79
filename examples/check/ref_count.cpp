//! rc20: verified executions=2 blocked=0 flags="--leaks"
//! sc: verified executions=2 blocked=0 flags="--leaks"
//! rc20: error=data-race line=@error flags="--suggest -- -DBUG"
//! why: Nothing orders the two accesses.
//! why: Suggestion: 
//
// A reference-counted pointer, as std::shared_ptr works inside. Increments may be relaxed: whoever copies a reference
// has one. A decrement releases what its owner did with the object, and the last one acquires all of that before it
// deletes; the reasoning is in the documentation of Boost.Atomic ("Reference counting", H. Blechmann and T. Bolton).
//
// BUG: decrements are relaxed. The last owner deletes the object while, for all it knows, another one still uses it.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>
#include <utility>

template <class T>
class Ref {
 public:
  template <class... Arguments>
  static Ref make(Arguments&&... arguments) {
    return Ref(new Counted{{1}, T(std::forward<Arguments>(arguments)...)});
  }
  Ref(const Ref& other) : counted_(other.counted_) { counted_->owners.fetch_add(1, std::memory_order_relaxed); }
  Ref(Ref&& other) noexcept : counted_(std::exchange(other.counted_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(counted_, other.counted_);
    return *this;
  }
  ~Ref() {
    if (counted_ == nullptr) return;
#ifdef BUG
    if (counted_->owners.fetch_sub(1, std::memory_order_relaxed) == 1) delete counted_;  // @error
#else
    if (counted_->owners.fetch_sub(1, std::memory_order_release) == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);
      delete counted_;
    }
#endif
  }
  T* operator->() const {
    return &counted_->value;
  }
  int owners() const {
    return counted_->owners.load(std::memory_order_relaxed);
  }

 private:
  struct Counted {
    std::atomic<int> owners;
    T value;
  };
  explicit Ref(Counted* counted) : counted_(counted) {}

  Counted* counted_;
};

struct Account {
  int first = 0, second = 0;
};

int main() {
  Ref<Account> account = Ref<Account>::make();
  std::thread other([mine = account] { mine->first = 1; });
  {
    const Ref<Account> mine = std::move(account);
    mine->second = 2;
  }  // the last owner is this thread or the other one
  other.join();
}
