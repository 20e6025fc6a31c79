//! rc20: error=data-race line=@thread|@main
//! rc20: verified executions=1 blocked=0 flags="-- -DJOINED"
// A local variable, captured by reference by the thread.
#include <thread>

int main() {
  int local = 0;
  std::thread other([&] {
    local = 1;  // @thread
  });
#ifdef JOINED
  other.join();
#endif
  local += 2;  // @main
#ifndef JOINED
  other.join();
#endif
  return local == 9;
}
