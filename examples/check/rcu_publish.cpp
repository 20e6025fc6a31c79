//! rc20: verified executions=3 blocked=0 flags="--leaks"
//! sc: verified executions=3 blocked=0 flags="--leaks"
//! rc20: error=data-race line=@fill|@use flags="--suggest -- -DBUG"
//! why: Suggestion: release instead of relaxed for exchange current at rcu_publish.cpp:52. With this change the program has no error
//! rc20: error=use-after-free|data-race line=@use|@delete flags="--suggest -- -DNO_FENCE"
//! why: Suggestion: a seq_cst fence right after store reading at rcu_publish.cpp:35. With this change the program has no error
//! sc: verified executions=3 blocked=0 flags="-- -DNO_FENCE"
//
// Publication in the style of read-copy-update: M. Desnoyers, P. E. McKenney, A. S. Stern, M. R. Dagenais, J. Walpole,
// "User-level implementations of read-copy update" (TPDS 2012). A reader announces itself, takes the current version,
// and uses it without a lock; a writer makes a new version, publishes it, waits until no reader can be using the old
// one, and deletes that.
//
// BUG: the new version is published with a relaxed exchange; a reader finds it before it is filled.
// NO_FENCE: the reader's announcement and its load of the pointer are not kept apart by a fence, so the writer may miss
// a reader that still gets the old version.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef BUG
constexpr auto publish = std::memory_order_relaxed;
#else
constexpr auto publish = std::memory_order_acq_rel;
#endif

struct Settings {
  int width, height;
};

std::atomic<Settings*> current{new Settings{1, 1}};
std::atomic<bool> reading{false};  // of the one reader

void reader() {
  reading.store(true, std::memory_order_relaxed);
#ifndef NO_FENCE
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  const Settings* const settings = current.load(std::memory_order_acquire);
  assert(settings->width == settings->height);  // @use
  reading.store(false, std::memory_order_release);
}

void waitForReaders() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  while (reading.load(std::memory_order_acquire)) std::this_thread::yield();
}

void writer() {
  Settings* const settings = new Settings{0, 0};
  settings->width = settings->height = 2;  // @fill
  Settings* const old = current.exchange(settings, publish);
  waitForReaders();
  delete old;  // @delete
}

int main() {
  std::thread first(reader);
  std::thread second(writer);
  first.join();
  second.join();
  assert(current.load()->width == 2);
  delete current.load();
}
