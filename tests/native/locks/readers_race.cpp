//! rc20: error=data-race line=@a|@b
//! rc20: error=data-race line=@a|@b flags="-- -DFIFTH"
//! rc20: error=data-race line=@a|@b flags="-- -DTRY"
//! rc20: error=data-race line=@a|@b flags="-- -DTRY -DTRIES"
//! rc20: error=data-race line=@a|@b flags="-- -DTRY -DFIFTH"
//! sc: error=data-race line=@a|@b flags="-- -DFIFTH"
//! tso: error=data-race line=@a|@b flags="-- -DTRY"
//! rc20: verified executions=2 blocked=0 flags="-- -DWRITER"
//! rc20: verified executions=2 blocked=0 flags="-- -DWRITER -DFIFTH"
//! rc20: verified executions=2 blocked=0 flags="-- -DWRITER -DTRY"
//! rc20: verified executions=2 blocked=0 flags="-- -DWRITER -DTRY -DTRIES"
//! rc20: verified executions=2 blocked=0 flags="-- -DWRITER -DTRY -DFIFTH"
// Two readers that both write. They may hold the lock at the same time, and one that comes after the other does not happen
// after it. FIFTH: their numbers are the same modulo four. TRY: somebody tries to take the lock. TRIES: the readers do.
// WRITER: the second takes the lock for writing.
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::atomic<int> first{0};
int data;

bool read() {
#ifdef TRIES
  return mutex.try_lock_shared();
#else
  mutex.lock_shared();
  return true;
#endif
}

int main() {
#ifdef TRY
  if (mutex.try_lock()) mutex.unlock();
#endif
  std::thread a([] {
    if (!read()) return;
    data = 1;  // @a
    mutex.unlock_shared();
    first.store(1, std::memory_order_relaxed);
  });
#ifdef FIFTH
  std::thread others[3];
  for (auto& other : others) other = std::thread([] {});
#endif
  std::thread b([] {
    if (first.load(std::memory_order_relaxed) == 0) return;
#ifdef WRITER
    mutex.lock();
    data = 2;
    mutex.unlock();
#else
    if (!read()) return;
    data = 2;  // @b
    mutex.unlock_shared();
#endif
  });
  a.join();
  b.join();
#ifdef FIFTH
  for (auto& other : others) other.join();
#endif
}
