//! rc20: error=dead-frame line=@use text="a thread_local variable of a thread that has ended"
//! rc20: error=dead-frame line=@use flags="-- -DEXIT"
//! rc20: error=dead-frame line=@use flags="-- -DATOMIC"
//! rc20: error=dead-frame|data-race line=@use|@start flags="-- -DDETACHED"
//! rc20: verified executions=1 blocked=0 flags="-- -DGOOD"
// A thread_local variable ends with its thread.
#include <pthread.h>

#include <atomic>
#include <thread>

#ifdef ATOMIC
thread_local std::atomic<int> own{3};
std::atomic<std::atomic<int>*> published;
#else
thread_local int own = 3;
std::atomic<int*> published;
#endif

int main() {
  std::thread thread([] {  // @start
#ifdef GOOD
    own = 4;
#else
    published = &own;
#endif
#ifdef EXIT
    pthread_exit(nullptr);
#endif
  });
#ifdef DETACHED
  thread.detach();
#else
  thread.join();
#endif
  if (auto* seen = published.load()) return *seen == 5;  // @use
  return own == 5;
}
