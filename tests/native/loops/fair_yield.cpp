//! rc20,sc: bounded executions=2 blocked=0 text="yields" flags="--fair --equivalence co"
//! rc20: bounded executions=2 flags="--fair -- -DSLEEP"
//! rc20: bounded executions=2 flags="--fair --stale 4"
//! rc20: bounded executions=5 flags="--stale 4"
//! rc20: bounded executions=3 flags="--fair -- -DLOOK"
//! rc20: error=assertion-failure line=@data flags="--fair -- -DUSE"
//! rc20: rejected flags="--fair --equivalence rf"
// A loop that waits, writes in every round and yields. After a yield the thread sees that the flag has been set, if it has.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

static std::atomic<bool> done;
static std::atomic<int> tries, data;

static void letOthersGo() {
#ifdef SLEEP
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
#else
  std::this_thread::yield();
#endif
}

int main() {
  std::thread setter([] {
#ifdef LOOK
    tries.load(std::memory_order_relaxed);
#endif
    data.store(1, std::memory_order_relaxed);
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_relaxed)) {
    tries.fetch_add(1, std::memory_order_relaxed);
    letOthersGo();
  }
#ifdef USE
  assert(data.load(std::memory_order_relaxed) == 1);  // @data
#endif
  setter.join();
}
