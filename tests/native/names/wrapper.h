// A library's own atomics, as in many code bases: every access in the program is one of these lines.
#pragma once

#include <atomic>

namespace wrapper {

template <class T>
inline T load_acquire(const std::atomic<T>& x) {
  return x.load(std::memory_order_acquire);
}

template <class T>
inline void store_relaxed(std::atomic<T>& x, T value) {
  x.store(value, std::memory_order_relaxed);
}

template <class T>
inline T get(const T& x) {
  return x;
}

template <class T>
inline void set(T& x, T value) {
  x = value;
}

}  // namespace wrapper
