// std::exception_ptr: exceptions that outlive their handler, and go from thread to thread.
//
// The exceptions of a program that has this model are in program memory (src/native/exceptions.cpp). One that an
// exception_ptr has ever pointed to stays to the end of the execution, so pointers can be copied without counting: its
// count, which the host's runtime keeps in the exception's header, is out of reach from then on. Its destructor is not
// run.

#include <exception>

#include "primitives.h"

extern "C" int heddle_shared_exceptions = 1 << 20;

namespace {

constexpr size_t kHeaderBytes = 128;

// The exceptions that stay, so that they are not taken for leaks.
struct Kept {
  void* object;
  Kept* next;
};

__thread Kept* kept;

void keep(void* object) {
  int& count = *reinterpret_cast<int*>(static_cast<char*>(object) - kHeaderBytes);
  if (count >= heddle_shared_exceptions) return;
  count += heddle_shared_exceptions;
  auto* node = static_cast<Kept*>(heddle_allocate(sizeof(Kept), alignof(Kept), 0));
  *node = {object, kept};
  kept = node;
}

}  // namespace

namespace std {

namespace __exception_ptr {

exception_ptr::exception_ptr(void* object) noexcept : _M_exception_object(object) {
  if (object) keep(object);
}
void exception_ptr::_M_addref() noexcept {}
void exception_ptr::_M_release() noexcept {}
void* exception_ptr::_M_get() const noexcept { return _M_exception_object; }

}  // namespace __exception_ptr

exception_ptr current_exception() noexcept { return exception_ptr(heddle_current_exception()); }
void rethrow_exception(exception_ptr pointer) { heddle_rethrow_exception(pointer._M_get()); }

}  // namespace std
