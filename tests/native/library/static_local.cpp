//! rc20: verified executions=2 blocked=2
//! sc: verified executions=2 blocked=2
//! rc20: error=self-lock line=@recursive flags="-- -DRECURSIVE"
// One of two threads initialises the variable. The other sees that it is initialised, or (blocked, as that is the
// same) sees it only after it has waited for the first.
#include <cassert>
#include <thread>

int calls;

int compute() {
  ++calls;
  return calls;
}

int get(int depth = 0) {
#ifdef RECURSIVE
  static const int value = depth == 0 ? get(1) : compute();  // @recursive
#else
  static const int value = compute();
#endif
  return value + depth;
}

int main() {
  std::thread one([] { assert(get() == 1); });
  std::thread two([] { assert(get() == 1); });
  one.join();
  two.join();
}
