//! rc20: error=data-race text="thread 1 (filler)" text="thread 2 (lambda, line 19)"
// What threads are called in reports: as the program calls them, or by where a lambda is started.
#include <pthread.h>

#include <atomic>
#include <thread>

int shared;
std::atomic<int> visits;

void fill() {
  pthread_setname_np(pthread_self(), "filler");
  shared = 1;
}

int main() {
  std::thread first(fill);
  // A lambda has no name.
  std::thread second([] { visits = 1; shared = 2; });
  first.join();
  second.join();
}
