//! rc20: verified executions=2 blocked=0
//! ra: verified executions=2 blocked=0 flags="-j 2"
//! rc20: verified executions=5 blocked=0 flags="-- -DDETACHED"
//! rc20: verified executions=2 blocked=0 flags="-- -DSTATIC_LOCAL"
//! rc20: error=assertion-failure line=@both flags="-- -DBUG"
// Handlers that several threads register: no race among them and the exit, and those that were registered in time run.
#include <cassert>
#include <cstdlib>
#include <thread>

int first, second;

struct Counted {
  ~Counted() { ++first; }
};

void registerFirst() {
#ifdef STATIC_LOCAL
  static Counted counted;
#else
  std::atexit([] {
    ++first;
    std::atexit([] { ++second; });  // runs next
  });
#endif
}

int main() {
  std::thread a(registerFirst);
#ifdef DETACHED
  a.detach();
#else
  std::atexit([] {
#ifdef BUG
    assert(first == 0);  // @both
#else
    assert(first <= 2 && second <= 2);
#endif
  });
  a.join();
#endif
  std::thread b(registerFirst);
  b.join();
}
