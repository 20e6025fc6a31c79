//! rc20: verified executions=6 blocked=0
// Plain memory is as it was whenever another execution begins: each thread builds a list whose shape depends on what it
// read, and main checks it. Three additions: 3! executions.
#include <atomic>
#include <cassert>
#include <map>
#include <string>
#include <thread>
#include <vector>

std::atomic<int> counter{0};

struct Log {
  std::vector<std::string> lines;
  std::map<int, int> seen;
};

void work(Log& log) {
  const int before = counter.fetch_add(1, std::memory_order_relaxed);
  for (int i = 0; i <= before; ++i) {
    log.lines.push_back(std::string(static_cast<std::size_t>(20 + i), 'x'));
    ++log.seen[before];
  }
}

int main() {
  Log logs[3];
  std::thread first(work, std::ref(logs[0]));
  std::thread second(work, std::ref(logs[1]));
  work(logs[2]);
  first.join();
  second.join();
  std::size_t lines = 0;
  for (const Log& log : logs) {
    assert(log.seen.size() == 1 && log.seen.begin()->second == log.seen.begin()->first + 1);
    assert(log.lines.back().size() == 19 + log.lines.size());
    lines += log.lines.size();
  }
  assert(lines == 6);
}
