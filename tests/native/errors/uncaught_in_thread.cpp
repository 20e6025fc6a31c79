//! rc20: error=uncaught-exception line=@throw
//! rc20: verified executions=2 flags="-- -DCAUGHT"
// An exception leaves the function of a thread; no handler of another thread helps.
#include <atomic>
#include <thread>

std::atomic<int> flag{0};

void work() {
  if (flag.load() == 1) throw 42;  // @throw
}

int main() {
  try {
    std::thread worker([] {
#ifdef CAUGHT
      try {
        work();
      } catch (int) {
      }
#else
      work();
#endif
    });
    flag.store(1);
    worker.join();
  } catch (...) {
  }
}
