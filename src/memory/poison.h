// Memory that was given back to one of our own pools: AddressSanitizer reports who touches it. Without it, nothing.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace heddle::memory {

#ifdef __SANITIZE_ADDRESS__
inline void poison(const void* begin, std::size_t size) { __asan_poison_memory_region(begin, size); }
inline void unpoison(const void* begin, std::size_t size) { __asan_unpoison_memory_region(begin, size); }
#else
inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
#endif

}  // namespace heddle::memory
