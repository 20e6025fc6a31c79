//! rc20: error=data-race|pure-virtual line=@error
//! rc20: verified executions=1 blocked=0 flags="-- -DAFTER"
// A thread that the base class starts may call the object before the derived class is made. AFTER: it starts later.
#include <thread>

struct Task {
  std::thread thread;
  void start() {
    thread = std::thread([this] { run(); });
  }
  virtual ~Task() = default;
  virtual void run() = 0;
};

struct Eager : Task {
#ifndef AFTER
  Eager() {
    start();
  }
#endif
};

struct Job : Eager {  // @error
  int done = 0;
  void run() override { done = 1; }
};

int main() {
  Job job;
#ifdef AFTER
  job.start();
#endif
  job.thread.join();
}
