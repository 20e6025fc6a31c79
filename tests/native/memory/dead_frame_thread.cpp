//! rc20: error=dead-frame|data-race line=@error
//! rc20: verified executions=1 flags="-- -DJOINED"
// A thread that captured a local by reference goes on when the function is over.
#include <thread>

std::thread worker;

void start() {
  int local = 0;
  worker = std::thread([&local] { local = 1; });
#ifdef JOINED
  worker.join();
#endif
}  // @error

int main() {
  start();
#ifndef JOINED
  worker.join();
#endif
}
