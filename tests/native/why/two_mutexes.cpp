//! rc20: error=deadlock line=12
//! why: thread 1 (forwards) waits for second, which thread 2 (backwards) holds since event 4.
//! why: They wait for each other: thread 1 (forwards) -> thread 2 (backwards) -> thread 1 (forwards).
// Two threads take two mutexes in opposite orders.
#include <mutex>
#include <thread>

std::mutex first, second;

void forwards() {
  std::lock_guard<std::mutex> a(first);
  std::lock_guard<std::mutex> b(second);
}

void backwards() {
  std::lock_guard<std::mutex> b(second);
  std::lock_guard<std::mutex> a(first);
}

int main() {
  std::thread a(forwards), b(backwards);
  a.join();
  b.join();
}
