// std::exception_ptr: exceptions that outlive their handler, and go from thread to thread.
//
// The exceptions of a program that has this model are in program memory (src/runtime/exceptions.cpp says how they lie there). One
// that an exception_ptr has pointed to is owned by these pointers and by the handlers of it, and ends with the last of them.
// Its owners are counted here; the count in the header, which is the host's, is out of reach from then on.

#include <exception>

#include "failure.h"

extern "C" int heddle_shared_exceptions = 1 << 20;  // what the host's runtime is to count down from

namespace {

using heddle::library::Failure;

constexpr size_t kHeaderBytes = 128;
constexpr size_t kOwnersBytes = 16;
constexpr size_t kDestructor = 24;  // in the header

char* headerOf(void* object) { return static_cast<char*>(object) - kHeaderBytes; }
uint32_t* ownersOf(void* object) { return reinterpret_cast<uint32_t*>(headerOf(object) - kOwnersBytes); }

void addOwner(void* object) { __atomic_fetch_add(ownersOf(object), 1, __ATOMIC_RELAXED); }

void removeOwner(void* object) {
  if (__atomic_sub_fetch(ownersOf(object), 1, __ATOMIC_ACQ_REL) != 0) return;
  auto* const destroy = *reinterpret_cast<void (**)(void*)>(headerOf(object) + kDestructor);
  if (destroy) destroy(object);
  heddle_free(ownersOf(object), heddle_heap_malloc);
}

// A pointer to an exception that is being handled, or has just been made.
void share(void* object) {
  const int others = heddle_share_exception(object, heddle_shared_exceptions);
  if (others < 0) return addOwner(object);
  *ownersOf(object) = static_cast<uint32_t>(others) + 1;
}

}  // namespace

// What the program calls in place of __cxa_end_catch (native/compile/link.cpp).
extern "C" void heddle_end_handler() {
  if (void* const object = heddle_end_catch()) removeOwner(object);
}

namespace std {

namespace __exception_ptr {

exception_ptr::exception_ptr(void* object) noexcept : _M_exception_object(object) {
  if (object) share(object);
}
void exception_ptr::_M_addref() noexcept {
  if (_M_exception_object) addOwner(_M_exception_object);
}
void exception_ptr::_M_release() noexcept {
  if (_M_exception_object) removeOwner(_M_exception_object);
}
void* exception_ptr::_M_get() const noexcept { return _M_exception_object; }

}  // namespace __exception_ptr

exception_ptr current_exception() noexcept { return exception_ptr(heddle_current_exception()); }

void rethrow_exception(exception_ptr pointer) {
  void* const object = pointer._M_get();
  if (!object) heddle::library::fail(Failure::misuse, "rethrow_exception of a null pointer");
  addOwner(object);  // the handler
  heddle_rethrow_exception(object);
}

}  // namespace std
