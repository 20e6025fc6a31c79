// std::thread's members that libstdc++ keeps in its compiled library. jthread, stop_token and this_thread are header
// code.

#include <errno.h>
#include <pthread.h>

#include <system_error>
#include <thread>

#include "failure.h"
#include "primitives.h"

namespace {

// The thread owns its state. An exception that leaves it finds no handler, and is reported where it is thrown.
void* run(void* argument) {
  const std::thread::_State_ptr state(static_cast<std::thread::_State*>(argument));
  state->_M_run();
  return nullptr;
}

}  // namespace

namespace std {

thread::_State::~_State() = default;

void thread::_M_start_thread(_State_ptr state, void (*)()) {
  heddle_start_alike(reinterpret_cast<const void*>(run), state.get(), 0, 1);
  if (const int error = pthread_create(&_M_id._M_thread, nullptr, run, state.get())) __throw_system_error(error);
  state.release();
}

void thread::join() {
  const int error = joinable() ? pthread_join(_M_id._M_thread, nullptr) : EINVAL;
  if (error != 0) __throw_system_error(error);
  _M_id = id();
}

void thread::detach() {
  const int error = joinable() ? pthread_detach(_M_id._M_thread) : EINVAL;
  if (error != 0) __throw_system_error(error);
  _M_id = id();
}

unsigned int thread::hardware_concurrency() noexcept {
  WARN_OF_ONE_RESULT("hardware_concurrency gave one fixed number, 4");
  return 4;
}

}  // namespace std
