//! rc20: verified executions=1
// At the end of a thread its thread_locals are destroyed, the newest first; those of main before the globals.
#include <cassert>
#include <thread>

int globals = 0;
int step = 0;

struct Global {
  ~Global() { assert(globals == 1 && step == 5); }
} global;

struct Local {
  int number;
  explicit Local(int n) : number(n) {}
  ~Local() {
    assert(step == number);
    ++step;
    if (number == 4) globals = 1;
  }
};

void inThread() {
  thread_local Local second(1);
  thread_local Local first(0);
}

void inMain() {
  thread_local Local fourth(4);
  thread_local Local third(3);
}

int main() {
  std::thread worker(inThread);
  worker.join();
  assert(step == 2);
  step = 3;
  inMain();
}
