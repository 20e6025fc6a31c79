//! rc20: verified executions=2
//! sc: verified executions=2 flags="-j 2"
//! tso: verified executions=2 flags="--equivalence rf"
//! rc20: verified executions=2 flags="-- -DQUICK"
//! rc20: error=assertion-failure line=@assert flags="-- -DBUG"
// Two threads exit at the same time: one of them runs the handlers, and the other one waits for the end of the process.
#include <cassert>
#include <cstdlib>
#include <thread>

int handled;

void handler() {
  ++handled;
#ifdef BUG
  assert(handled == 2);  // @assert
#else
  assert(handled == 1);
#endif
}

int main() {
#ifdef QUICK
  std::at_quick_exit(handler);
  std::thread([] { std::quick_exit(0); }).detach();
  std::quick_exit(0);
#else
  std::atexit(handler);
  std::thread([] { std::exit(0); }).detach();
#endif
}
