// operator new and delete, in all forms that a program may call. An allocation remembers which form made it, and the
// size that a sized delete states must be its own: a derived object that is deleted through a base without a virtual
// destructor shows there.

#include <new>

#include "failure.h"

using heddle::library::fail;
using heddle::library::Failure;

namespace {

constexpr size_t kAlignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

void* allocateOrThrow(size_t size, size_t alignment, uint32_t kind) {
  void* result = heddle_allocate(size, alignment, kind);
  if (!result) throw std::bad_alloc();
  return result;
}

// What has no size is no allocation, or has been freed, which heddle_free tells apart.
void release(void* address, size_t size, uint32_t kind) {
  const size_t allocated = address ? heddle_allocation_size(address) : 0;
  if (allocated != 0 && allocated != size) {
    fail(Failure::invalidFree, "an object is deleted as one of another size than it was allocated with");
  }
  heddle_free(address, kind);
}

size_t number(std::align_val_t alignment) { return static_cast<size_t>(alignment); }

}  // namespace

void* operator new(size_t n) { return allocateOrThrow(n, kAlignment, heddle_heap_newScalar); }
void* operator new[](size_t n) { return allocateOrThrow(n, kAlignment, heddle_heap_newArray); }
void* operator new(size_t n, std::align_val_t a) { return allocateOrThrow(n, number(a), heddle_heap_newScalar); }
void* operator new[](size_t n, std::align_val_t a) { return allocateOrThrow(n, number(a), heddle_heap_newArray); }
void* operator new(size_t n, const std::nothrow_t&) noexcept { return heddle_allocate(n, kAlignment, heddle_heap_newScalar); }
void* operator new[](size_t n, const std::nothrow_t&) noexcept { return heddle_allocate(n, kAlignment, heddle_heap_newArray); }
void* operator new(size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return heddle_allocate(n, number(a), heddle_heap_newScalar);
}
void* operator new[](size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return heddle_allocate(n, number(a), heddle_heap_newArray);
}

void operator delete(void* p) noexcept { heddle_free(p, heddle_heap_newScalar); }
void operator delete[](void* p) noexcept { heddle_free(p, heddle_heap_newArray); }
void operator delete(void* p, size_t n) noexcept { release(p, n, heddle_heap_newScalar); }
void operator delete[](void* p, size_t n) noexcept { release(p, n, heddle_heap_newArray); }
void operator delete(void* p, std::align_val_t) noexcept { heddle_free(p, heddle_heap_newScalar); }
void operator delete[](void* p, std::align_val_t) noexcept { heddle_free(p, heddle_heap_newArray); }
void operator delete(void* p, size_t n, std::align_val_t) noexcept { release(p, n, heddle_heap_newScalar); }
void operator delete[](void* p, size_t n, std::align_val_t) noexcept { release(p, n, heddle_heap_newArray); }
void operator delete(void* p, const std::nothrow_t&) noexcept { heddle_free(p, heddle_heap_newScalar); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { heddle_free(p, heddle_heap_newArray); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { heddle_free(p, heddle_heap_newScalar); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { heddle_free(p, heddle_heap_newArray); }

namespace std {

const nothrow_t nothrow{};
// Memory runs out only where a program asks for an absurd amount; the handler is kept, and not called.
static new_handler handler;
new_handler set_new_handler(new_handler next) noexcept {
  const new_handler previous = handler;
  handler = next;
  return previous;
}
new_handler get_new_handler() noexcept { return handler; }

}  // namespace std
