// What std::future and its relatives need of libstdc++'s compiled library.
//
// A future waits for the status word of its shared state. The header has seen a value that is not ready, and calls
// here to wait until it changes. If it has changed by now, the header might as well have seen the new value in the
// first place, and the execution in which it did is explored; so here a thread only ever waits, or runs out of time.

#include <future>

#include "clock.h"
#include "primitives.h"
#include "thread_end.h"

namespace std {

namespace {

bool waitWhile(const unsigned* word, unsigned value, bool timed, chrono::seconds s, chrono::nanoseconds ns) {
  const bool same = __atomic_load_n(word, __ATOMIC_RELAXED) == value;
  heddle_assume_hook(same);
  if (!timed) heddle_wait(!same);
  heddle::library::sleepUntil({static_cast<time_t>(s.count()), static_cast<long>(ns.count())});
  return false;
}

}  // namespace

bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* word, unsigned value, bool timed, chrono::seconds s,
                                                       chrono::nanoseconds ns) {
  return waitWhile(word, value, timed, s, ns);
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* word, unsigned value, bool timed, chrono::seconds s,
                                                              chrono::nanoseconds ns) {
  return waitWhile(word, value, timed, s, ns);
}

void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned*) {}

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

void __throw_future_error(int code) { throw future_error(make_error_code(static_cast<future_errc>(code))); }
future_error::~future_error() noexcept = default;
const char* future_error::what() const noexcept { return logic_error::what(); }

// set_value_at_thread_exit: makes the state ready when the thread's thread_locals are gone.
namespace {

__thread __at_thread_exit_elt* atThreadExit;
__thread void (*destroyOthers)();

void makeReady() {
  if (destroyOthers) destroyOthers();
  while (__at_thread_exit_elt* first = atThreadExit) {
    atThreadExit = first->_M_next;
    first->_M_cb(first);
  }
}

}  // namespace

void __future_base::_State_baseV2::_Make_ready::_S_run(void* argument) {
  const unique_ptr<_Make_ready> ready(static_cast<_Make_ready*>(argument));
  if (const auto state = ready->_M_shared_state.lock()) {
    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
  }
}

void __future_base::_State_baseV2::_Make_ready::_M_set() {
  _M_cb = _Make_ready::_S_run;
  _M_next = atThreadExit;
  atThreadExit = this;
  heddle_note(kNotedThreadEnd);
  auto& destroy = heddle::library::threadEnd.destroyThreadLocals;
  if (destroy == makeReady) return;
  destroyOthers = destroy;
  destroy = makeReady;
}

}  // namespace std
