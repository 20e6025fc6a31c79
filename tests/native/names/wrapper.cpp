// The functions of a wrapper header are shown with who calls them.
//! sc,rc20: verified executions=1 flags="-- -DONE"
//! rc20: error=data-race text="callers" text="wrapper::get(data)" text="wrapper::set(data, 1)" text="wrapper::store_relaxed(flag, 1);"
#include "wrapper.h"

#include <thread>

std::atomic<int> flag;
int data;

void writer() {
  wrapper::set(data, 1);
  wrapper::store_relaxed(flag, 1);
}

int main() {
  std::thread thread(writer);
#ifndef ONE
  if (wrapper::load_acquire(flag) == 1) wrapper::get(data);
#endif
  thread.join();
}
