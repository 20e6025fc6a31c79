//! rc20: verified executions=4
//! rc20: error=data-race line=@write|@read flags="-- -DBUG"
// Readers and a writer: each reader is before or after it. BUG: the writer has the lock for reading only.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int x, y;

int main() {
  const auto read = [] {
    const std::shared_lock lock(mutex);
    assert(x == y);  // @read
  };
  std::thread one(read), two(read);
  {
#ifdef BUG
    const std::shared_lock lock(mutex);
#else
    const std::unique_lock lock(mutex);
#endif
    x = 1;  // @write
    y = 1;
  }
  one.join();
  two.join();
}
