//! rc20: verified executions=1
//! rc20: error=assertion-failure line=@last flags="-- -DBUG"
// At exit thread_locals of the thread go first, then what was registered, last first.
#include <cassert>
#include <cstdlib>

int step;

struct Static {
  explicit Static(int n) : expected(n) {}
  ~Static() { assert(step++ == expected); }
  int expected;
};

#ifdef BUG
Static first(2);
#else
Static first(4);
#endif
thread_local Static perThread(0);

void handler() {
  assert(step++ == 3);  // @handler
}

Static& local() {
  static Static object(2);
  return object;
}

int main() {
  (void)&perThread.expected;
  assert(perThread.expected == 0);
  std::atexit(handler);
  local();
  std::atexit([] { assert(step++ == 1); });
#ifdef BUG
  std::atexit([] { assert(step == 1 && false); });  // @last
#endif
  std::exit(3);
}
