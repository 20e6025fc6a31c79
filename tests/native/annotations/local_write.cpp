//! rc20,sc: verified executions=2 blocked=0
//! rc20: verified executions=2 blocked=0 flags="-- -DOVERWRITTEN"
//! rc20: error=wrong-annotation line=@read text="marked as local" flags="-- -DREAD"
//! rc20: error=wrong-annotation line=@read flags="--equivalence rf -- -DREAD"
//! rc20: error=wrong-annotation line=@read flags="--races off -- -DREAD"
//! rc20: error=wrong-annotation line=@assume flags="-- -DASSUME"
//! rc20: error=wrong-annotation line=@spin flags="-- -DSPIN"
//! rc20: error=wrong-annotation line=@exchange flags="-- -DEXCHANGE"
//! rc20: error=wrong-annotation line=@plain flags="-- -DPLAIN"
//! rc20: error=wrong-annotation line=@plain flags="--equivalence rf -- -DPLAIN"
//! rc20: verified executions=2 blocked=0 text="no atomic write is in the annotation" flags="-- -DNOTHING"
// A write that nobody but its thread reads. That another thread reads it is an error, also if the thread goes no further
// then (ASSUME, SPIN), if it is a read-modify-write (EXCHANGE), and if it is a plain read after a join (PLAIN).
#include <heddle/heddle.h>

#include <atomic>
#include <cstring>
#include <thread>

static std::atomic<int> mine{0}, flag{0};
static int plain;

int main() {
  std::thread thread([] {
    heddle_local(mine.store(1, std::memory_order_relaxed));
#ifdef NOTHING
    heddle_local(plain = 1);
#endif
    heddle_assert(mine.load(std::memory_order_relaxed) != 0);
#if defined(OVERWRITTEN) || defined(ASSUME) || defined(SPIN)
    mine.store(2, std::memory_order_release);
#endif
    flag.store(1, std::memory_order_release);
  });
  const bool set = flag.load(std::memory_order_acquire) == 1;
#ifdef READ
  (void)mine.load(std::memory_order_relaxed);  // @read
#elif defined(ASSUME)
  heddle_assume(mine.load(std::memory_order_relaxed) == 2);  // @assume
#elif defined(SPIN)
  while (mine.load(std::memory_order_relaxed) != 2) {  // @spin
  }
#elif defined(EXCHANGE)
  mine.fetch_add(1);  // @exchange
#elif defined(OVERWRITTEN)
  if (set) heddle_assert(mine.load(std::memory_order_relaxed) == 2);
#endif
  thread.join();
#ifdef PLAIN
  int copy;
  std::memcpy(&copy, &mine, sizeof copy);  // @plain
  heddle_assert(copy == 1);
#endif
  return set ? plain : 0;
}
