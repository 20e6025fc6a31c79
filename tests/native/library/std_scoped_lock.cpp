//! rc20: verified executions=6 blocked=7
//! rc20: error=deadlock line=@error flags="-- -DORDER"
// Two mutexes taken together by two threads, in different orders. ORDER: one after the other.
#include <mutex>
#include <thread>

std::mutex a, b;
int x;

void both(std::mutex& first, std::mutex& second) {
#ifdef ORDER
  const std::lock_guard one(first), two(second);  // @error
#else
  const std::scoped_lock lock(first, second);
#endif
  ++x;
}

int main() {
  std::thread thread([] { both(a, b); });
  both(b, a);
  thread.join();
}
