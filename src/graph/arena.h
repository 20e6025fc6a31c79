// Arena: an array that reserves address space once and is backed by memory only where it was touched.
//
// The pools of the execution graph are indexed by event, grow and shrink with the trail, and must never
// move. Reserving generously and letting the system map pages on first use gives that with no growth code
// in the hot path; fresh pages are zero.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace heddle {

template <typename T>
class Arena {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Arena() = default;
  explicit Arena(std::size_t count) : bytes_(count * sizeof(T)) {
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
  }
  Arena(Arena&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Arena& operator=(Arena&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Arena() {
    if (data_) munmap(data_, bytes_);
  }

  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace heddle
