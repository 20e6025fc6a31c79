//! rc20: verified executions=2 blocked=0
// A transaction that an exception leaves ends there, with what it has done; what the function returns comes out, also a reference or
// nothing.
#include <cassert>
#include <heddle/heddle.h>
#include <stdexcept>
#include <thread>

static int x, y;

static void change() {
  try {
    heddle::transaction([] {
      x = 1;
      if (y == 0) throw std::runtime_error("no");
      x = 2;
    });
    assert(false);
  } catch (const std::runtime_error&) {
    y = 5;
  }
}

int main() {
  std::thread other(change);
  const int seen = heddle::transaction([] { return x; });
  assert(seen == 0 || seen == 1);
  other.join();
  assert(x == 1 && y == 5);
  int& same = heddle::transaction([]() -> int& { return x; });
  (void)same;
}
