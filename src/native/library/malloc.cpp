// malloc and its family. Addresses are given out by the runtime and never used again, so that a use after free is
// always seen as one.

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

namespace {

constexpr size_t kAlignment = 16;

void* allocate(size_t size, size_t alignment) {
  void* result = heddle_allocate(size, alignment, heddle_heap_malloc);
  if (!result) errno = ENOMEM;
  return result;
}

bool isPowerOfTwo(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

extern "C" {

void* malloc(size_t size) { return allocate(size, kAlignment); }

void* calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* result = allocate(bytes, kAlignment);
  if (result) memset(result, 0, bytes);
  return result;
}

void free(void* address) { heddle_free(address, heddle_heap_malloc); }

void* realloc(void* old, size_t size) {
  if (!old) return malloc(size);
  if (size == 0) {
    free(old);
    return nullptr;
  }
  const size_t before = heddle_allocation_size(old);
  void* result = allocate(size, kAlignment);
  if (!result) return nullptr;
  memcpy(result, old, before < size ? before : size);
  free(old);
  return result;
}

void* reallocarray(void* old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(old, bytes);
}

void* memalign(size_t alignment, size_t size) {
  if (!isPowerOfTwo(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return allocate(size, alignment < kAlignment ? kAlignment : alignment);
}

void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void* valloc(size_t size) { return memalign(4096, size); }

int posix_memalign(void** result, size_t alignment, size_t size) {
  if (!isPowerOfTwo(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* address = heddle_allocate(size, alignment < kAlignment ? kAlignment : alignment, heddle_heap_malloc);
  if (!address) return ENOMEM;
  *result = address;
  return 0;
}

int malloc_trim(size_t) { return 0; }
size_t malloc_usable_size(void* address) { return address ? heddle_allocation_size(address) : 0; }

}  // extern "C"
