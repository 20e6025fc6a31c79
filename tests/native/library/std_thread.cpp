//! rc20: verified executions=2 blocked=0
//! rc20: error=abort line=@error flags="-- -DFORGET"
//! rc20: error=assertion-failure line=@assert flags="-- -DRACE"
// std::thread with arguments, moves, ids; join and detach of nothing throw. FORGET: a thread object that is still
// joinable is destroyed.
#include <atomic>
#include <cassert>
#include <system_error>
#include <thread>
#include <vector>

std::atomic<int> sum{0};

void add(int n, int& result) {
  sum.fetch_add(n, std::memory_order_relaxed);
  result = n;
}

int main() {
  int results[2] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back(add, i + 1, std::ref(results[i]));
  assert(threads[0].get_id() != threads[1].get_id() && threads[0].joinable());
#ifdef RACE
  assert(sum.load() == 0);  // @assert
#endif
#ifdef FORGET
  threads.clear();  // @error
#endif
  for (auto& thread : threads) thread.join();
  assert(sum == 3 && results[0] == 1 && results[1] == 2 && !threads[0].joinable());
  std::thread none;
  assert(none.get_id() == std::thread::id());
  try {
    none.join();
    assert(false);
  } catch (const std::system_error& error) {
    assert(error.code() == std::errc::invalid_argument);
  }
  std::thread moved(std::move(none));
  assert(!moved.joinable() && std::this_thread::get_id() != std::thread::id());
  assert(std::thread::hardware_concurrency() > 0);
  std::thread([] {}).detach();
}
