//! rc20: verified executions=2
//! sc: verified executions=2
//! rc20: verified executions=2 flags="-- -DPTHREAD"
//! rc20: error=assertion-failure line=@failures flags="-- -DCOUNT"
// A mutex that is tried until it is free: to find it taken changes nothing.
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>

int data, failures;
#ifdef PTHREAD
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
bool take() { return pthread_mutex_trylock(&mutex) == 0; }
void release() { pthread_mutex_unlock(&mutex); }
#else
std::mutex mutex;
bool take() { return mutex.try_lock(); }
void release() { mutex.unlock(); }
#endif

void work() {
  int failed = 0;
  while (!take()) {
#ifdef COUNT
    ++failed;
#endif
    std::this_thread::yield();
  }
  assert(failed < 2);  // @failures
  ++data;
  release();
}

int main() {
  std::thread first(work);
  work();
  first.join();
  assert(data == 2);
}
