//! rc20: verified executions=1 blocked=3
//! rc20: verified executions=1 blocked=3 flags="-- -DFEW"
// std::atomic::wait of threads with high numbers. FEW: with low ones.
#include <atomic>
#include <thread>

static std::atomic<int> value;

int main() {
#ifndef FEW
  for (int i = 0; i < 100; ++i) std::thread([] {}).join();
#endif
  std::thread a([] { value.wait(0); }), b([] { value.wait(0); });
  value = 1;
  value.notify_all();
  a.join();
  b.join();
}
