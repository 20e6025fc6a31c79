//! rc20: verified executions=4 blocked=0
//! rc20: error=assertion-failure line=@count flags="-- -DEXPECTED=4"
// thread_local objects are made when a thread first uses them and destroyed, in reverse, when it ends: before the join
// returns. A thread that does not use them has none. Of three threads two do.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

#ifndef EXPECTED
#define EXPECTED 2
#endif

std::atomic<int> made{0}, destroyed{0};

struct Buffer {
  std::string text = "some text that needs memory of its own, so it is long";
  Buffer() { made.fetch_add(1, std::memory_order_relaxed); }
  ~Buffer() {
    assert(text.size() > 20);
    destroyed.fetch_add(1, std::memory_order_release);
  }
};

thread_local Buffer buffer;
thread_local int uses = 0;

void use() {
  buffer.text += '!';
  ++uses;
  assert(uses == 1);
}

int main() {
  std::thread first(use), second(use), idle([] { assert(uses == 0); });
  first.join();
  second.join();
  idle.join();
  assert(destroyed.load() == EXPECTED);  // @count
  assert(made.load() == EXPECTED);
}
