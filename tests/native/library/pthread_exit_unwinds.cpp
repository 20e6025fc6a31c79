//! rc20: verified executions=1
//! rc20: error=misuse line=@error flags="-- -DSWALLOW"
// pthread_exit runs the destructors of the frames that it leaves, and those of thread_locals. SWALLOW: a handler for
// everything stops it.
#include <cassert>
#include <mutex>
#include <pthread.h>
#include <thread>

std::mutex mutex;
int destroyed, locals;

struct Object {
  ~Object() { ++destroyed; }
};

struct Local {
  ~Local() { ++locals; }
};

thread_local Local local;

void deep(int depth) {
  const Object object;
  if (depth == 0) pthread_exit(reinterpret_cast<void*>(5));
  deep(depth - 1);
}

void* run(void*) {
  (void)&local;
  const std::lock_guard lock(mutex);
  try {
    deep(3);
  } catch (...) {
    ++destroyed;
#ifndef SWALLOW
    throw;
#endif
  }  // @error
  assert(false);
}

int main() {
  pthread_t thread;
  void* result;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_join(thread, &result);
  assert(result == reinterpret_cast<void*>(5) && destroyed == 5 && locals == 1);
  std::thread([] {
    const std::lock_guard lock(mutex);
    pthread_exit(nullptr);
  }).join();
  assert(mutex.try_lock());
  mutex.unlock();
}
