//! rc20: error=assertion-failure line=@assert
//! rc20: error=assertion-failure line=@assert flags="-j 2 -- -DDETACHED"
//! rc20: error=assertion-failure line=@assert flags="--equivalence rf -- -DSTATIC"
//! rc20: error=assertion-failure line=@assert flags="-- -DMIXED"
//! rc20: verified executions=1 blocked=0 flags="-- -DGOOD"
//! rc20: verified executions=2 blocked=0 flags="-- -DGOOD -DMIXED"
//! rc20: error=assertion-failure line=@assert flags="-- -DLATE"
// When main has left by pthread_exit and the last thread has ended, the process exits as by exit(0): handlers and static
// destructors run, after everything that the threads have done.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

int done;
std::atomic<unsigned> word;

void check() {
#ifdef GOOD
  assert(done == 1);
#else
  assert(done == 2);  // @assert
#endif
}

#ifdef STATIC
struct Checked {
  ~Checked() { check(); }
} checked;
#endif

void run() {
#ifdef LATE
  std::atexit(check);
#endif
#ifdef MIXED
  reinterpret_cast<std::atomic<unsigned char>&>(word).store(1);
#endif
  done = 1;
}

int main() {
#if !defined(STATIC) && !defined(LATE)
  std::atexit(check);
#endif
  std::thread thread([] {
    std::thread inner(run);
#ifdef DETACHED
    inner.detach();
#else
    inner.join();
#endif
  });
  word.store(2);
  thread.detach();
  pthread_exit(nullptr);
}
