//! rc20: verified executions=4 blocked=0 flags="--leaks"
//! sc: verified executions=4 blocked=0 flags="--leaks"
//! rc20: error=data-race line=@error flags="--suggest -- -DBUG"
//! why: Suggestion: acquire instead of relaxed for load Registry::instance_ at double_checked.cpp:28 and release instead of relaxed for store Registry::instance_ at double_checked.cpp:34. With these changes the program has no error
//
// Double-checked locking: D. C. Schmidt and T. Harrison, "Double-checked locking" (PLoP 1996), in the form that C++11
// made correct; S. Meyers and A. Alexandrescu, "C++ and the perils of double-checked locking" (2004) say why it was not
// before. The first check needs no lock once the object is there, but it must acquire what the constructor did.
//
// BUG: both the first check and the publication are relaxed. A thread gets the pointer and finds the object unmade.
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

#ifdef BUG
constexpr auto check = std::memory_order_relaxed;
constexpr auto publish = std::memory_order_relaxed;
#else
constexpr auto check = std::memory_order_acquire;
constexpr auto publish = std::memory_order_release;
#endif

class Registry {
 public:
  static Registry& instance() {
    Registry* registry = instance_.load(check);
    if (registry == nullptr) {
      std::lock_guard lock(mutex_);
      registry = instance_.load(std::memory_order_relaxed);
      if (registry == nullptr) {
        registry = new Registry("main");
        instance_.store(registry, publish);
      }
    }
    return *registry;
  }
  static void destroy() { delete instance_.exchange(nullptr); }

  const std::string& name() const { return name_; }

 private:
  explicit Registry(std::string name) : name_(std::move(name)) {}

  static inline std::atomic<Registry*> instance_{nullptr};
  static inline std::mutex mutex_;
  std::string name_;
};

int main() {
  std::thread other([] { assert(Registry::instance().name() == "main"); });  // @error
  assert(Registry::instance().name() == "main");
  other.join();
  Registry::destroy();
}
