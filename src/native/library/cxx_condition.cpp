// std::condition_variable's members that libstdc++ keeps in its compiled library, in terms of pthread_cond_t.
// condition_variable_any is header code on top of it.

#include <condition_variable>

#include "primitives.h"
#include "thread_end.h"

namespace {

// A condition variable to notify at the end of the thread, when its thread_locals are gone.
struct AtThreadEnd {
  std::condition_variable* condition;
  std::mutex* mutex;
  AtThreadEnd* next;
};

__thread AtThreadEnd* toNotify;
__thread void (*destroyOthers)();

void notifyAtThreadEnd() {
  if (destroyOthers) destroyOthers();
  while (AtThreadEnd* first = toNotify) {
    toNotify = first->next;
    first->mutex->unlock();
    first->condition->notify_all();
    heddle_free(first, heddle_heap_malloc);
  }
}

}  // namespace

namespace std {

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;
void condition_variable::wait(unique_lock<mutex>& lock) { _M_cond.wait(*lock.mutex()); }
void condition_variable::notify_one() noexcept { _M_cond.notify_one(); }
void condition_variable::notify_all() noexcept { _M_cond.notify_all(); }

void notify_all_at_thread_exit(condition_variable& condition, unique_lock<mutex> lock) {
  auto* node = static_cast<AtThreadEnd*>(heddle_allocate(sizeof(AtThreadEnd), alignof(AtThreadEnd), heddle_heap_malloc));
  *node = {&condition, lock.release(), toNotify};
  toNotify = node;
  heddle_note(kNotedThreadEnd);
  auto& destroy = heddle::library::threadEnd.destroyThreadLocals;
  if (destroy == notifyAtThreadEnd) return;
  destroyOthers = destroy;
  destroy = notifyAtThreadEnd;
}

}  // namespace std
