//! rc11: verified executions=14
//! rc11: error=data-race line=@write|@read flags="-- -DBUG"
// Readers and a writer. The readers' comings and goings are in one of 6 orders; the writer is before or after them
// all, or, in the 2 orders in which they do not overlap, between them: 6 + 6 + 2. BUG: the writer has the lock for
// reading only.
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
