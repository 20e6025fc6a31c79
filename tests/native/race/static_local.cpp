//! rc20: verified executions=2 blocked=2
//! rc20: error=data-race line=@count flags="-- -DWRITE"
// The initialisation of a static local is safe, once and for all; what is done with it afterwards is not.
#include <cassert>
#include <thread>

struct Counter {
  int value;
  explicit Counter(int start) : value(start) {}
};

int use(int start) {
  static Counter counter(start);
#ifdef WRITE
  return counter.value++;  // @count
#else
  return counter.value;
#endif
}

int main() {
  int theirs = 0;
  std::thread other([&] { theirs = use(1); });
  const int mine = use(2);
  other.join();
  assert(mine >= 1 && mine <= 2 && mine == theirs);
}
